import { type ComponentProps, type ReactNode, useId, useRef } from "react";
import { FieldError } from "../field/Field.tsx";
import { useEarlyChange } from "../use-early-change.ts";

interface CheckboxProps {
  /** May contain links. */
  label: ReactNode;
  /** Id of the checkbox, from `useId`; needed where something else, such as an error summary, leads to it. */
  id?: string | undefined;
  /** Name of the form field. */
  name: string;
  /** The value that the form sends if it is checked. */
  value?: string;
  /** Whether it is checked, if the parent controls it. */
  checked?: boolean | undefined;
  defaultChecked?: boolean | undefined;
  required?: boolean;
  disabled?: boolean;
  /** What is wrong and what to do about it. */
  error?: string | undefined;
  onChange?: (checked: boolean) => void;
  onBlur?: () => void;
}

/** The browser's own checkbox with label and error. */
export function Checkbox({ error, defaultChecked, onChange, ...props }: CheckboxProps) {
  const checkbox = useRef<HTMLInputElement>(null);
  const errorId = useId();
  useEarlyChange(props.checked ?? defaultChecked ?? false, () => checkbox.current?.checked, onChange);
  return (
    <div className="sf-field" data-state={error ? "error" : "default"}>
      <Choice
        {...props}
        type="checkbox"
        ref={checkbox}
        defaultChecked={defaultChecked}
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
      <input {...input} className="sf-choice-control" />
      <span className="sf-choice-text">{label}</span>
    </label>
  );
}
