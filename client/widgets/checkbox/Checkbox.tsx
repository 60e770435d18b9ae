import { type ReactNode, useId, useRef } from "react";
import { Choice } from "../field/Choice.tsx";
import { FieldError } from "../field/FieldError.tsx";
import { useEarlyChange } from "../use-early-change.ts";

export interface CheckboxProps {
  /** May contain links. */
  label: ReactNode;
  /** Id of the checkbox, from `useId`; needed where something else, such as an error summary, leads to it. */
  id?: string | undefined;
  /** Name of the form field. */
  name: string;
  /** What the form sends when it is checked. */
  value?: string;
  /** Whether it is checked, where the parent keeps that; otherwise the checkbox does. */
  checked?: boolean | undefined;
  defaultChecked?: boolean | undefined;
  required?: boolean;
  disabled?: boolean;
  /** What is wrong and what to do about it. */
  error?: string | undefined;
  onChange?: (checked: boolean) => void;
  onBlur?: () => void;
}

/** Something to agree to or to switch on. */
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
