import { offeredCategories } from "../../../client/rules/categories.ts";
import type { NewsletterSubscription } from "../../../schemas/types.ts";
import { fieldError } from "../../http/request-input.ts";
import type { Site } from "../../sites/countries.ts";

/**
 * Refuses categories that a site's newsletter doesn't offer.
 * @throws RequestError naming the field `categories`
 */
export function checkCategories({ categories = [] }: Pick<NewsletterSubscription, "categories">, site: Site): void {
  const offered = offeredCategories(site.newsletter);
  if (categories.every((category) => offered.includes(category))) return;
  const choice =
    offered.length > 0 ? `must be among those that the site offers: ${offered.join(", ")}` : "must be empty";
  throw fieldError([{ field: "categories", message: choice }]);
}
