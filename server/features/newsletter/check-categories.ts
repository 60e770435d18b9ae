import { offeredCategories } from "../../../client/rules/categories.ts";
import type { NewsletterSubscription } from "../../../schemas/types.ts";
import { fieldError } from "../../http/request-input.ts";
import type { RequestError } from "../../platform/errors.ts";
import type { Site } from "../../sites/countries.ts";

/**
 * Refuses categories that a site's newsletter doesn't offer.
 * @throws RequestError naming the field `categories`
 */
export function checkCategories({ categories = [] }: Pick<NewsletterSubscription, "categories">, site: Site): void {
  if (!offersCategories(categories, site)) throw categoriesError(site);
}

/** Describes a choice of categories that a site's newsletter doesn't offer. */
export function categoriesError({ newsletter }: Site): RequestError {
  const offered = offeredCategories(newsletter);
  const choice =
    offered.length > 0 ? `must be among those that the site offers: ${offered.join(", ")}` : "must be empty";
  return fieldError([{ field: "categories", message: choice }]);
}

/** Whether a site's newsletter offers all of these categories. */
export function offersCategories(
  categories: NonNullable<NewsletterSubscription["categories"]>,
  { newsletter }: Site,
): boolean {
  const offered = offeredCategories(newsletter);
  return categories.every((category) => offered.includes(category));
}
