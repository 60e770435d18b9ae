import request from "supertest";
import { describe, expect, it } from "vitest";
import { createTestApp, sites } from "../../../support/test-app.ts";

const path = "/service/promotion/api/promotion";
const { app, deps } = await createTestApp();

/** The headline of a site's promotion of now, of either season. */
const headlines = (locale: string) =>
  (["coffee.headline", "gifts.headline"] as const).map((key) => deps.texts.translator(locale, "demo")(key));

/** The site whose promotion is answered, by its texts: each locale has its own. */
async function siteAnswered(query: string, headers: Record<string, string> = {}) {
  const { body } = await request(app).get(`${path}/SHOP_FOOTER${query}`).set(headers).expect(200);
  const { headline } = JSON.parse(body.contentJSON);
  return sites.filter(({ locale }) => headlines(locale).includes(headline)).map(({ site }) => site);
}

describe.each(sites)("the promotion of $site", ({ site, localHost }) => {
  it("is JSON in JSON, in the country's language, kept nowhere", async () => {
    const { body, headers } = await request(app).get(`${path}/SHOP_FOOTER?site=${site}`).expect(200);
    expect(Object.keys(body)).toEqual(["contentJSON"]);
    expect(JSON.parse(body.contentJSON)).toEqual({
      headline: expect.stringMatching(/\S/),
      text: expect.stringMatching(/\S/),
      link: { url: expect.stringMatching(/^\/category\//), text: expect.stringMatching(/\S/) },
    });
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["cache-control"]).toBe("no-store");
  });

  it("is that of the site in the query, the header or the host, in this order", async () => {
    const other = site === "PL" ? "TR" : "PL";
    expect(await siteAnswered(`?site=${site}`, { "X-Site": other, Host: "tr.localhost" })).toContain(site);
    expect(await siteAnswered("", { "X-Site": site, Host: "pl.localhost" })).toContain(site);
    expect(await siteAnswered("", { Host: localHost })).toContain(site);
  });
});

describe("a promotion", () => {
  it("is the default site's where nothing names one", async () => {
    const { app: turkish } = await createTestApp({ defaultSite: "TR" });
    const { body } = await request(turkish).get(`${path}/SHOP_FOOTER`).set("Host", "shop.internal").expect(200);
    expect(headlines("tr-TR")).toContain(JSON.parse(body.contentJSON).headline);
  });

  it.each(["SHOP_HEADER", "shop_footer", "x".repeat(65), "SHOP_FOOTER%00", "%27--", "a.b"])(
    "that isn't there is 404: %s",
    async (key) => {
      const { body } = await request(app).get(`${path}/${key}`).expect(404);
      expect(body).toEqual({ type: "NOT_FOUND", title: "no such promotion", status: 404 });
    },
  );

  it.each([
    ["?site=XX", {}],
    ["?site=", {}],
    ["?site=DE&site=AT", {}],
    ["", { "X-Site": "de" }],
  ])("of an unknown site is refused by the field's name: %s %o", async (query, headers) => {
    const { body } = await request(app).get(`${path}/SHOP_FOOTER${query}`).set(headers).expect(400);
    expect(body).toMatchObject({ type: "INVALID_REQUEST", status: 400, errors: [{ field: "site" }] });
  });
});
