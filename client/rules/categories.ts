import type { NewsletterSubscription } from "../../schemas/types.ts";

export type Category = NonNullable<NewsletterSubscription["categories"]>[number];

/** The newsletter's categories, in the order of display. */
const categories = [
  "WOMEN_FASHION",
  "MEN_FASHION",
  "SPORT",
  "LIVING_FURNITURE",
  "HOBBY",
  "KIDS",
  "KITCHEN",
  "SLEEPING",
  "DISCOUNTS",
  "COFFEE",
  "MOBILE",
  "CARD",
  "STORE",
] as const satisfies readonly Category[];

/**
 * Lists the categories among which a country's subscribers can choose, in the order of display.
 * @param newsletter - without `categories`, all are offered
 */
export function offeredCategories(newsletter: { categories?: readonly Category[] }): Category[] {
  return categories.filter((category) => newsletter.categories?.includes(category) ?? true);
}
