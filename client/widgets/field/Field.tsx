import { type ReactNode, useId } from "react";
import { Icon } from "../../icons/Icon.tsx";
import { oneOf } from "../one-of.ts";
import { UnbrokenWords } from "../UnbrokenWords.tsx";

const fieldStates = ["default", "valid", "error"] as const;
type FieldState = (typeof fieldStates)[number];

/** The props of every labelled field. */
export interface FieldProps {
  label: string;
  /** The control's id, from `useId`. Needed if another element, such as an error summary, links to the control. */
  id?: string | undefined;
  /** Help that stays visible. */
  hint?: string;
  /** What is wrong and what to do about it. Sets the state to `error`. */
  error?: string | undefined;
  state?: FieldState;
  /** Announced when the field is valid. Sighted users see an icon. */
  validLabel?: string;
  /** Shown after the label of an optional field. */
  optionalLabel?: string;
  /** Id of an element outside the field that also describes the control. */
  describedBy?: string;
}

/** The attributes that connect a control with its label, hint and error. */
interface ControlAttributes {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldShellProps extends FieldProps {
  /** Renders the control. */
  children: (control: ControlAttributes) => ReactNode;
}

/** The label, hint and error around a control. An error that appears later is announced. */
export function Field({ label, hint, error, state, children, ...props }: FieldShellProps) {
  const { validLabel, optionalLabel, describedBy } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const shown = error ? "error" : oneOf("field state", fieldStates, state, "default");
  const valid = shown === "valid" && validLabel;
  const describing = [hint && `${id}hint`, describedBy, valid && `${id}valid`, error && `${id}error`];
  return (
    <div className="sf-field" data-state={shown === "default" ? undefined : shown}>
      <label htmlFor={id}>
        {label}
        {optionalLabel && <span>{` (${optionalLabel})`}</span>}
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

interface FieldErrorProps {
  /** The id that the control's `aria-describedby` names. */
  id: string;
  error: string | undefined;
  /** Other announcements of the field's state. */
  children?: ReactNode;
}

/** The error of a field. One that appears later is announced. */
export function FieldError({ id, error, children }: FieldErrorProps) {
  return (
    <div aria-live="polite">
      {children}
      {error && (
        <p className="sf-field-error" id={id}>
          <UnbrokenWords text={error} />
        </p>
      )}
    </div>
  );
}
