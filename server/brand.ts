/** The shop's name, the same on every site. */
export const brand = "Storefront";
