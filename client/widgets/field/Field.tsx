import { type ReactNode, useId } from "react";
import { Icon } from "../../icons/Icon.tsx";

export const fieldStates = ["default", "valid", "error"] as const;
export type FieldState = (typeof fieldStates)[number];

/** What every field with a label takes. */
export interface FieldProps {
  label: string;
  /** Of the control, from `useId`, where something else points to it: an error summary. */
  id?: string | undefined;
  /** Help that stays visible. */
  hint?: string;
  /** What is wrong and what to do about it; makes the state `error`. */
  error?: string | undefined;
  state?: FieldState;
  /** Said after the label of a field that may stay empty. */
  optionalLabel?: string;
}

/** What ties a control to its label, hint and error. */
export interface ControlAttributes {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldShellProps extends FieldProps {
  /** Renders the control. */
  children: (control: ControlAttributes) => ReactNode;
}

/** The label, hint and error around a control. */
export function Field({ label, hint, error, state = "default", optionalLabel, children, ...props }: FieldShellProps) {
  const ownId = useId();
  const id = props.id ?? ownId;
  const shown = error ? "error" : state;
  const describedBy = [hint && `${id}hint`, error && `${id}error`].filter(Boolean).join(" ");
  return (
    <div className="sf-field" data-state={shown}>
      <label className="sf-field-label" htmlFor={id}>
        {label}
        {optionalLabel && <span className="sf-field-optional"> ({optionalLabel})</span>}
      </label>
      {hint && (
        <p className="sf-field-hint" id={`${id}hint`}>
          {hint}
        </p>
      )}
      <div className="sf-field-control">
        {children({
          id,
          "aria-describedby": describedBy || undefined,
          "aria-invalid": shown === "error" || undefined,
        })}
        {shown !== "default" && (
          <Icon name={shown === "valid" ? "check" : "warning"} size={24} className="sf-field-state" />
        )}
      </div>
      {error && (
        <p className="sf-field-error" id={`${id}error`}>
          {error}
        </p>
      )}
    </div>
  );
}
