import { useRef } from "react";
import { Icon } from "../../icons/Icon.tsx";
import { Field, type FieldProps } from "../field/Field.tsx";
import { useEarlyChange } from "../use-early-change.ts";

interface SelectEntry {
  /** The entry's key, unique in the list. */
  name: string;
  /** The visible text. */
  text: string;
  /** The value that the form sends. */
  value: string;
}

export interface SelectProps extends FieldProps {
  /** Name of the form field. */
  name: string;
  entries: readonly SelectEntry[];
  /** Text of a first entry that stands for no choice; its value is empty. */
  placeholder?: string;
  /** The selected value, if the parent controls it. */
  value?: string | undefined;
  defaultValue?: string | undefined;
  required?: boolean;
  disabled?: boolean;
  autoComplete?: string;
  onChange?: (value: string) => void;
  onBlur?: () => void;
}

/** The browser's own select element. */
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
