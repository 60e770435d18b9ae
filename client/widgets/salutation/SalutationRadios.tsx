import { useId, useRef } from "react";
import { Choice } from "../field/Choice.tsx";
import { FieldError } from "../field/FieldError.tsx";
import type { SelectProps } from "../select/Select.tsx";
import { useEarlyChange } from "../use-early-change.ts";

/** The choices as radio buttons. The first one has the id of the field, to which links lead. */
export function SalutationRadios({ label, hint, error, optionalLabel, entries, ...props }: SelectProps) {
  const { id, name, value, defaultValue, required, disabled, onChange, onBlur } = props;
  const group = useRef<HTMLFieldSetElement>(null);
  const ownId = useId();
  const describedBy = [hint && `${ownId}hint`, error && `${ownId}error`].filter(Boolean).join(" ");
  const readChosen = () => group.current?.querySelector<HTMLInputElement>(":checked")?.value ?? "";
  useEarlyChange(value ?? defaultValue ?? "", readChosen, onChange);
  return (
    <fieldset
      ref={group}
      className="sf-field sf-salutation"
      data-state={error ? "error" : "default"}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: may be invalid and required, as a plain group may not: https://www.w3.org/TR/html-aria/#el-fieldset
      role="radiogroup"
      aria-describedby={describedBy || undefined}
      aria-invalid={error ? true : undefined}
      aria-required={required}
      disabled={disabled}
    >
      <legend className="sf-field-label">
        {label}
        {optionalLabel && <span className="sf-field-optional"> ({optionalLabel})</span>}
      </legend>
      {hint && (
        <p className="sf-field-hint" id={`${ownId}hint`}>
          {hint}
        </p>
      )}
      <div className="sf-salutation-choices">
        {entries.map((entry, index) => (
          <Choice
            key={entry.name}
            id={index === 0 ? (id ?? ownId) : undefined}
            type="radio"
            name={name}
            value={entry.value}
            label={entry.text}
            required={required}
            checked={value === undefined ? undefined : value === entry.value}
            defaultChecked={value === undefined ? defaultValue === entry.value : undefined}
            onChange={() => onChange?.(entry.value)}
            onBlur={onBlur}
          />
        ))}
      </div>
      <FieldError id={`${ownId}error`} error={error} />
    </fieldset>
  );
}
