import { useId } from "react";
import type widgets from "../../../locales/de/widgets.json";
import { type SalutationValue, salutations } from "../../rules/salutations.ts";
import { Choice } from "../checkbox/Checkbox.tsx";
import { FieldError, type FieldProps } from "../field/Field.tsx";
import { oneOf } from "../one-of.ts";
import { Select, type SelectProps } from "../select/Select.tsx";

export const salutationVariants = ["radio", "select"] as const;

interface SalutationProps extends Pick<FieldProps, "id" | "hint" | "error" | "optionalLabel"> {
  texts: SalutationTexts;
  /** Radio buttons show all choices; a select takes less room. */
  as?: (typeof salutationVariants)[number];
  /** Name of the form field. */
  name?: string;
  /** The selected value or the empty string, if the parent controls it. */
  value?: SalutationValue | "" | undefined;
  /** The initial value. Default: none. */
  defaultValue?: SalutationValue | undefined;
  required?: boolean;
  autoFocus?: boolean;
  /** For a known salutation that can't be changed here. Forms don't send disabled fields. */
  disabled?: boolean;
  onChange?: (value: SalutationValue | "") => void;
}

/** The salutation of a customer. */
export function Salutation({ as, texts, name = "salutation", onChange, ...props }: SalutationProps) {
  const field = {
    ...props,
    name,
    label: texts["salutation.label"],
    entries: salutations.map((value) => ({ name: value, text: texts[textKeys[value]], value })),
    onChange: (value: string) => onChange?.(salutations.find((known) => known === value) ?? ""),
  };
  if (oneOf("salutation as", salutationVariants, as, "radio") === "radio") return <SalutationRadios {...field} />;
  return <Select {...field} placeholder={texts["select.placeholder"]} autoComplete="honorific-prefix" />;
}

const textKeys = {
  MRS: "salutation.mrs",
  MR: "salutation.mr",
  DIVERS: "salutation.divers",
  COMPANY: "salutation.company",
} as const;

/** The words of the salutation field in one language. */
export type SalutationTexts = Pick<
  typeof widgets,
  "salutation.label" | "select.placeholder" | (typeof textKeys)[SalutationValue]
>;

/** The choices as radio buttons. The first one has the field's id, the target of links. */
function SalutationRadios({ label, hint, error, optionalLabel, entries, ...props }: SelectProps) {
  const { id, name, value, defaultValue, required, disabled, onChange } = props;
  const ownId = useId();
  const describedBy = [hint && `${ownId}hint`, error && `${ownId}error`].filter(Boolean).join(" ");
  return (
    <fieldset
      className="sf-field sf-salutation"
      data-state={error ? "error" : undefined}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: may be invalid and required, as a plain group may not: https://www.w3.org/TR/html-aria/#el-fieldset
      role="radiogroup"
      aria-describedby={describedBy || undefined}
      aria-invalid={error ? true : undefined}
      aria-required={required}
      disabled={disabled}
    >
      <legend>
        {label}
        {optionalLabel && <span> ({optionalLabel})</span>}
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
          />
        ))}
      </div>
      <FieldError id={`${ownId}error`} error={error} />
    </fieldset>
  );
}
