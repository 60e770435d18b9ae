import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { createTestApp, sites, texts } from "../../support/test-app.ts";

const { app } = await createTestApp();

/** The address of what the newsletter block in a footer shows. */
async function addressFor(site: string): Promise<string> {
  const { text } = await request(app).get(`/fragments/footer/${site}`).expect(200);
  return load(text)("[data-island=newsletter]").attr("data-island-shared") ?? "";
}

describe("what the newsletter's blocks show", () => {
  it.each(sites)("comes from an address of $site that browsers may keep for good", async ({ site, locale }) => {
    const { body, headers } = await request(app)
      .get(await addressFor(site))
      .expect(200)
      .expect("Content-Type", "application/json; charset=utf-8");
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(body).toMatchObject({
      site,
      texts: { "success.heading": texts.translator(locale, "newsletter")("success.heading") },
    });
  });

  it("has the address that the block has in each place of a site", async () => {
    const [{ site } = { site: "" }] = sites;
    const { text } = await request(app).get(`/fragments/newsletter/${site}?origin=SHOPPING_CART`);
    expect(load(text)("[data-island=newsletter]").attr("data-island-shared")).toBe(await addressFor(site));
    expect(load(text)("[data-island=newsletter]").data("island-props")).toEqual({
      origin: "SHOPPING_CART",
      originAddition: "",
      level: 2,
    });
  });

  it.each([
    ["another release", (address: string) => address.replace(/-\w{8}\.json$/, "-00000000.json")],
    ["no site", (address: string) => address.replace(/newsletter-\w+?-/, "newsletter-XX-")],
  ])("has none for %s", async (_whose, change) => {
    const [{ site } = { site: "" }] = sites;
    await request(app)
      .get(change(await addressFor(site)))
      .expect(404);
  });
});
