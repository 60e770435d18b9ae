/** The sites of the specification. Others may exist, about which it says nothing. */
export const nine = ["DE", "AT", "CH", "CH_FR", "PL", "CZ", "HU", "SK", "TR"] as const;

export type NineSite = (typeof nine)[number];
