import { expect, it } from "vitest";
import { categories, offeredCategories } from "../../../client/rules/categories.ts";
import schema from "../../../schemas/newsletter-subscription.schema.json" with { type: "json" };

it("has the categories of a sign-up, in the same order", () => {
  expect(categories).toEqual(schema.properties.categories.items.enum);
});

it("offers all categories, or those that the country names, in the order of the list", () => {
  expect(offeredCategories({})).toEqual(categories);
  expect(offeredCategories({ categories: ["STORE", "SPORT"] })).toEqual(["SPORT", "STORE"]);
  expect(offeredCategories({ categories: [] })).toEqual([]);
});
