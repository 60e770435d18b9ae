import type { ComponentProps, ReactNode } from "react";

interface ChoiceProps extends ComponentProps<"input"> {
  type: "checkbox" | "radio";
  /** May contain links. */
  label: ReactNode;
}

/** A checkbox or radio button with its label, which is part of the target. */
export function Choice({ label, ...input }: ChoiceProps) {
  return (
    <label className="sf-choice">
      <input {...input} className="sf-choice-control" />
      <span className="sf-choice-text">{label}</span>
    </label>
  );
}
