import type widgets from "../../../locales/de/widgets.json";

/** How a customer may be addressed, in the order of display. */
export const salutations = ["MRS", "MR", "DIVERS", "COMPANY"] as const;

export type SalutationValue = (typeof salutations)[number];

const textKeys = {
  MRS: "salutation.mrs",
  MR: "salutation.mr",
  DIVERS: "salutation.divers",
  COMPANY: "salutation.company",
} as const;

/** The words of the field in one language. */
export type SalutationTexts = Pick<
  typeof widgets,
  "salutation.label" | "select.placeholder" | (typeof textKeys)[SalutationValue]
>;

/** The entries of the field in one language. */
export function salutationEntries(texts: SalutationTexts) {
  return salutations.map((value) => ({ name: value, text: texts[textKeys[value]], value }));
}
