import type { ComponentProps } from "react";
import { Icon } from "../../icons/Icon.tsx";
import { Field, type FieldProps } from "../field/Field.tsx";

interface SelectEntry {
  /** The entry's key, unique in the list. */
  name: string;
  /** The visible text. */
  text: string;
  /** The value that the form sends. */
  value: string;
}

type ElementProps = Omit<ComponentProps<"select">, keyof FieldProps | "children" | "onChange" | "onBlur" | "ref">;

/** The props of its field, and the attributes of the element `select`. */
export interface SelectProps extends FieldProps, ElementProps {
  entries: readonly SelectEntry[];
  /** Text of a first entry that means no choice. Its value is empty. */
  placeholder?: string;
  onChange?: (value: string) => void;
}

/** The browser's own select element. */
export function Select({ entries, placeholder, onChange, ...props }: SelectProps) {
  const { label, hint, error, state, validLabel, optionalLabel, describedBy, ...own } = props;
  return (
    <Field {...props}>
      {(control) => (
        <>
          <select
            {...own}
            {...control}
            className="sf-input sf-select"
            onChange={(event) => onChange?.(event.target.value)}
          >
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {entries.map((entry) => (
              <option key={entry.name} value={entry.value}>
                {entry.text}
              </option>
            ))}
          </select>
          <Icon name="chevron-down" size={24} />
        </>
      )}
    </Field>
  );
}
