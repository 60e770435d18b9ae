import request from "supertest";
import { describe, expect, it } from "vitest";
import germany from "../../../../countries/de.ts";
import { sendForm } from "../../../support/newsletter-pages.ts";
import { signUpOf, subscriptionOf } from "../../../support/newsletter-test.ts";
import { createTestApp } from "../../../support/test-app.ts";
import { loadOwnShop, writeShop } from "../../../support/write-shop.ts";

/** Opens a shop whose country offers these categories. */
async function openShop(categories: readonly string[]) {
  const country = { ...germany, newsletter: { ...germany.newsletter, categories } };
  const { app, deps } = await createTestApp(await loadOwnShop(await writeShop({ "countries/de.json": country })));
  return {
    form: (fields: object) => sendForm(app, "/newsletter?site=DE", fields),
    call: (fields: object) =>
      request(app)
        .post("/service/newsletter/api/internal/newsletter-subscribers")
        .set({ "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "DE" })
        .send(fields),
    categoriesOf: async (email: string) => (await subscriptionOf(deps.store.db, email, "DE"))?.categories,
  };
}

describe("a country that offers some categories", () => {
  it("takes sign-ups for these", async () => {
    const { call, categoriesOf, form } = await openShop(["STORE", "SPORT"]);
    await call({ ...signUpOf("call@shop.example"), categories: ["SPORT"] }).expect(202);
    await form({ ...signUpOf("form@shop.example"), categories: ["SPORT", "STORE"] }).expect(303);
    expect(await categoriesOf("call@shop.example")).toBe('["SPORT"]');
    expect(await categoriesOf("form@shop.example")).toBe('["SPORT","STORE"]');
  });

  it("refuses sign-ups for others, names the field and the choice, and stores nothing", async () => {
    const { call, categoriesOf, form } = await openShop(["STORE", "SPORT"]);
    const chosen = { ...signUpOf("other@shop.example"), categories: ["SPORT", "COFFEE"] };
    const message = "must be among those that the site offers: SPORT, STORE";
    const { status, body } = await call(chosen);
    expect([status, body.type, body.errors]).toEqual([400, "INVALID_REQUEST", [{ field: "categories", message }]]);
    const answer = await form(chosen);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(`categories ${message}`)]);
    expect(await categoriesOf("other@shop.example")).toBeUndefined();
  });
});

it("a country that offers no category takes sign-ups without one", async () => {
  const { form } = await openShop([]);
  await form(signUpOf("none@shop.example")).expect(303);
  await form({ ...signUpOf("none@shop.example"), categories: "SPORT" }).expect(400, /categories must be empty/);
});
