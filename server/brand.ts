/** The name of the shop, which no site translates. */
export const brand = "Storefront";
