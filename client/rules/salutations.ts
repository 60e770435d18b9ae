/** The salutations, in the order of display. */
export const salutations = ["MRS", "MR", "DIVERS", "COMPANY"] as const;

export type SalutationValue = (typeof salutations)[number];
