interface FieldErrorProps {
  /** What the control's `aria-describedby` names. */
  id: string;
  error: string | undefined;
}

/** What is wrong in a field; an error that comes later is said to screen readers. */
export function FieldError({ id, error }: FieldErrorProps) {
  return (
    <div aria-live="polite">
      {error && (
        <p className="sf-field-error" id={id}>
          {error}
        </p>
      )}
    </div>
  );
}
