import type widgets from "../../../locales/de/widgets.json";
import { type SalutationValue, salutations } from "../../rules/salutations.ts";

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

/** The salutations as entries of a list, with their words in one language. */
export function salutationEntries(texts: SalutationTexts) {
  return salutations.map((value) => ({ name: value, text: texts[textKeys[value]], value }));
}
