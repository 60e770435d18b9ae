import { type ReactNode, useId } from "react";
import { Icon } from "../../icons/Icon.tsx";
import { oneOf } from "../one-of.ts";
import { FieldError } from "./FieldError.tsx";

export const fieldStates = ["default", "valid", "error"] as const;
export type FieldState = (typeof fieldStates)[number];

/** What every field with a label takes. */
export interface FieldProps {
  label: string;
  /** Id of the control, from `useId`; needed where something else, such as an error summary, leads to the control. */
  id?: string | undefined;
  /** Help that stays visible. */
  hint?: string;
  /** What is wrong and what to do about it; makes the state `error`. */
  error?: string | undefined;
  state?: FieldState;
  /** Screen readers say it in the state `valid`, of which others see the icon. */
  validLabel?: string;
  /** Stands after the label of a field that may stay empty. */
  optionalLabel?: string;
  /** Id of an element outside the field that also describes the control. */
  describedBy?: string;
}

/** The attributes that connect a control with its label, hint and error. */
export interface ControlAttributes {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldShellProps extends FieldProps {
  /** Renders the control. */
  children: (control: ControlAttributes) => ReactNode;
}

/** The label, hint and error around a control. Screen readers say an error that comes later. */
export function Field({ label, hint, error, state = "default", children, ...props }: FieldShellProps) {
  const { validLabel, optionalLabel, describedBy } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const shown = error ? "error" : oneOf("field state", fieldStates, state, "default");
  const valid = shown === "valid" && validLabel;
  const describing = [hint && `${id}hint`, describedBy, valid && `${id}valid`, error && `${id}error`];
  return (
    <div className="sf-field" data-state={shown}>
      <label className="sf-field-label" htmlFor={id}>
        {label}
        {optionalLabel && <span className="sf-field-optional">{` (${optionalLabel})`}</span>}
      </label>
      {hint && (
        <p className="sf-field-hint" id={`${id}hint`}>
          {hint}
        </p>
      )}
      <div className="sf-field-control">
        {children({
          id,
          "aria-describedby": describing.filter(Boolean).join(" ") || undefined,
          "aria-invalid": shown === "error" || undefined,
        })}
        {shown !== "default" && (
          <Icon name={shown === "valid" ? "check" : "warning"} size={24} className="sf-field-state" />
        )}
      </div>
      <FieldError id={`${id}error`} error={error}>
        {valid && (
          <p className="sf-visually-hidden" id={`${id}valid`}>
            {valid}
          </p>
        )}
      </FieldError>
    </div>
  );
}
