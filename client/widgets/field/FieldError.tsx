import type { ReactNode } from "react";

interface FieldErrorProps {
  /** What the control's `aria-describedby` names. */
  id: string;
  error: string | undefined;
  /** What else is said of the field's state. */
  children?: ReactNode;
}

/** What is wrong in a field; an error that comes later is said to screen readers. */
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
