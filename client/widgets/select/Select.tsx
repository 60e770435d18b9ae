import { useRef } from "react";
import { Icon } from "../../icons/Icon.tsx";
import { Field, type FieldProps } from "../field/Field.tsx";
import { useEarlyChange } from "../use-early-change.ts";

export interface SelectEntry {
  /** Tells the entries of a list apart. */
  name: string;
  /** What is read. */
  text: string;
  /** What is sent. */
  value: string;
}

export interface SelectProps extends FieldProps {
  /** Of the form field. */
  name: string;
  entries: readonly SelectEntry[];
  /** Text of a first entry with an empty value: nothing is chosen. */
  placeholder?: string;
  /** What is chosen, for a parent that keeps it; without, the select does. */
  value?: string | undefined;
  defaultValue?: string | undefined;
  required?: boolean;
  disabled?: boolean;
  autoComplete?: string;
  onChange?: (value: string) => void;
  onBlur?: () => void;
}

/** A list to choose one entry from: the browser's own. */
export function Select({ name, entries, placeholder, onChange, ...props }: SelectProps) {
  const { value, defaultValue, required, disabled, autoComplete, onBlur, ...field } = props;
  const select = useRef<HTMLSelectElement>(null);
  const first = placeholder === undefined ? entries[0]?.value : "";
  useEarlyChange(value ?? defaultValue ?? first ?? "", () => select.current?.value, onChange);
  return (
    <Field {...field}>
      {(control) => (
        <>
          <select
            {...control}
            ref={select}
            className="sf-input sf-select"
            name={name}
            value={value}
            defaultValue={defaultValue}
            required={required}
            disabled={disabled}
            autoComplete={autoComplete}
            onChange={(event) => onChange?.(event.target.value)}
            onBlur={onBlur}
          >
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {entries.map((entry) => (
              <option key={entry.name} value={entry.value}>
                {entry.text}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" size={24} className="sf-select-arrow" />
        </>
      )}
    </Field>
  );
}
