import { expect, it } from "vitest";
import { offeredCategories } from "../../../client/rules/categories.ts";
import schema from "../../../schemas/newsletter-subscription.schema.json" with { type: "json" };

it("offers the categories of a sign-up, or those that the country names, in the order of the schema", () => {
  expect(offeredCategories({})).toEqual(schema.properties.categories.items.enum);
  expect(offeredCategories({ categories: ["STORE", "SPORT"] })).toEqual(["SPORT", "STORE"]);
  expect(offeredCategories({ categories: [] })).toEqual([]);
});
