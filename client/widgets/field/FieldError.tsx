import type { ReactNode } from "react";

interface FieldErrorProps {
  /** The id that the control's `aria-describedby` names. */
  id: string;
  error: string | undefined;
  /** What else screen readers say of the field's state. */
  children?: ReactNode;
}

/** Says what is wrong in a field. Screen readers say an error that comes later. */
export function FieldError({ id, error, children }: FieldErrorProps) {
  return (
    <div aria-live="polite">
      {children}
      {error && (
        <p className="sf-field-error" id={id}>
          {error}
        </p>
      )}
    </div>
  );
}
