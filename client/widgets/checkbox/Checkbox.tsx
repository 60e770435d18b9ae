import { type ComponentProps, type ReactNode, useId } from "react";
import { FieldError } from "../field/Field.tsx";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type" | "onChange"> {
  /** May contain links. */
  label: ReactNode;
  /** What is wrong and what to do about it. */
  error?: string | undefined;
  onChange?: (checked: boolean) => void;
}

/** The browser's own checkbox with label and error. */
export function Checkbox({ error, onChange, ...props }: CheckboxProps) {
  const errorId = useId();
  return (
    <div className="sf-field" data-state={error ? "error" : undefined}>
      <Choice
        {...props}
        type="checkbox"
        aria-describedby={error && errorId}
        aria-invalid={error ? true : undefined}
        onChange={(event) => onChange?.(event.target.checked)}
      />
      <FieldError id={errorId} error={error} />
    </div>
  );
}

interface ChoiceProps extends ComponentProps<"input"> {
  type: "checkbox" | "radio";
  /** May contain links. */
  label: ReactNode;
}

/** A checkbox or radio button with its label, which is part of the target. */
export function Choice({ label, ...input }: ChoiceProps) {
  return (
    <label className="sf-choice">
      <input {...input} />
      <span>{label}</span>
    </label>
  );
}
