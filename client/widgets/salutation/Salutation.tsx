import { type SalutationValue, salutations } from "../../rules/salutations.ts";
import type { FieldProps } from "../field/Field.tsx";
import { oneOf } from "../one-of.ts";
import { Select } from "../select/Select.tsx";
import { SalutationRadios } from "./SalutationRadios.tsx";
import { type SalutationTexts, salutationEntries } from "./salutation-texts.ts";

export const salutationVariants = ["radio", "select"] as const;

export interface SalutationProps extends Pick<FieldProps, "id" | "hint" | "error" | "optionalLabel"> {
  texts: SalutationTexts;
  /** Radio buttons show every choice; a select takes less room. */
  as?: (typeof salutationVariants)[number];
  /** Name of the form field. */
  name?: string;
  /** What is chosen, where the parent keeps that, or the empty text; otherwise the field keeps it. */
  value?: SalutationValue | "" | undefined;
  /** What is chosen at first; nothing when it isn't given. */
  defaultValue?: SalutationValue | undefined;
  required?: boolean;
  /** For a salutation that is known and can't be changed here. Forms don't send disabled fields. */
  disabled?: boolean;
  onChange?: (value: SalutationValue | "") => void;
  onBlur?: () => void;
}

/** Asks how to address a customer. */
export function Salutation({ as = "radio", texts, name = "salutation", onChange, ...props }: SalutationProps) {
  const field = {
    ...props,
    name,
    label: texts["salutation.label"],
    entries: salutationEntries(texts),
    onChange: (value: string) => onChange?.(salutations.find((known) => known === value) ?? ""),
  };
  if (oneOf("salutation as", salutationVariants, as, "radio") === "radio") return <SalutationRadios {...field} />;
  return <Select {...field} placeholder={texts["select.placeholder"]} autoComplete="honorific-prefix" />;
}
