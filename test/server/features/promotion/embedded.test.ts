import request from "supertest";
import { describe, expect, it } from "vitest";
import { findPromotion, planPromotions } from "../../../../server/features/promotion/embedded.ts";
import { createTestApp, sites, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const { db } = await openTestStore(testLogger);
const day = (number: number) => Date.UTC(2026, 0, number);
await db.insertInto("abTest").values({ name: "colours", validFrom: 0, validTo: null }).execute();
await db
  .insertInto("abTestGroup")
  .values(["A", "B"].map((name, position) => ({ test: "colours", name, position })))
  .execute();

let count = 0;
/** Adds a promotion of DE in a place, whose headline is given. */
async function add(key: string, headline: string, changes: object = {}) {
  const link = { linkUrl: "/category/coffee", linkText: "Coffee" };
  await db
    .insertInto("promotion")
    .values({
      ...{ id: String(count++), key, site: "DE", headline, text: "Text", ...link },
      ...{ validFrom: day(1), validTo: null, test: null, testGroup: null, ...changes },
    })
    .execute();
}

async function headline(key: string, at: number, selection?: { test: string; group: string }, site = "DE") {
  return (await findPromotion(db, key, { site, at, selection }))?.headline;
}

describe("a promotion", () => {
  it("is found with all its content", async () => {
    await add("WHOLE", "Headline");
    expect(await findPromotion(db, "WHOLE", { site: "DE", at: day(2) })).toEqual({
      headline: "Headline",
      text: "Text",
      link: { url: "/category/coffee", text: "Coffee" },
    });
  });

  it("belongs to one place and site", async () => {
    await add("PLACE", "Here");
    expect(await headline("PLACE", day(2), undefined, "AT")).toBeUndefined();
    expect(await headline("OTHER", day(2))).toBeUndefined();
    expect(await headline("place", day(2))).toBeUndefined();
  });

  it("is valid from its first moment to its last", async () => {
    await add("WINDOW", "Now", { validFrom: day(5), validTo: day(6) });
    const times = [day(5) - 1, day(5), day(6) - 1, day(6)];
    expect(await Promise.all(times.map((time) => headline("WINDOW", time)))).toEqual([
      undefined,
      "Now",
      "Now",
      undefined,
    ]);
  });

  it("that started last takes precedence while it lasts", async () => {
    await add("SEASON", "Season", { validFrom: day(5), validTo: day(6) });
    await add("SEASON", "Always");
    const times = [day(4), day(5), day(6)];
    expect(await Promise.all(times.map((time) => headline("SEASON", time)))).toEqual(["Always", "Season", "Always"]);
  });

  it("for the selected group takes precedence over one for everybody", async () => {
    await add("TARGET", "Everybody", { validFrom: day(3) });
    await add("TARGET", "Group B", { test: "colours", testGroup: "B" });
    expect(await headline("TARGET", day(4))).toBe("Everybody");
    expect(await headline("TARGET", day(4), { test: "colours", group: "A" })).toBe("Everybody");
    expect(await headline("TARGET", day(4), { test: "colours", group: "B" })).toBe("Group B");
    expect(await headline("TARGET", day(4), { test: "sizes", group: "B" })).toBe("Everybody");
    expect(await headline("TARGET", day(2), { test: "colours", group: "A" })).toBeUndefined();
  });
});

describe("the plan of a place", () => {
  const minute = 60_000;
  const plan = async (key: string, at: number) =>
    (await planPromotions(db, key, { site: "DE", at })).map(({ from, promotion }) => [
      (from - at) / minute,
      promotion?.headline,
    ]);

  it("has the current promotion and each change of the next hour", async () => {
    await add("PLAN", "Season", { validFrom: day(1), validTo: day(3) });
    await add("PLAN", "Weekend", { validFrom: day(2), validTo: day(2) + 30 * minute });
    await add("PLAN", "Late", { validFrom: day(2) + 61 * minute });
    expect(await plan("PLAN", day(2) - 10 * minute)).toEqual([
      [0, "Season"],
      [10, "Weekend"],
      [40, "Season"],
    ]);
    expect(await plan("PLAN", day(2) + 29 * minute)).toEqual([
      [0, "Weekend"],
      [1, "Season"],
      [32, "Late"],
    ]);
    expect(await plan("PLAN", day(3))).toEqual([[0, "Late"]]);
  });

  it("leaves out changes without effect", async () => {
    await add("OUTDONE", "Later one", { validFrom: day(2), validTo: day(3) });
    await add("OUTDONE", "Earlier one", { validFrom: day(1), validTo: day(2) + 10 * minute });
    await add("OUTDONE", "Tested", { validFrom: day(2) + 5 * minute, test: "colours", testGroup: "A" });
    expect(await plan("OUTDONE", day(2))).toEqual([[0, "Later one"]]);
    expect(await plan("EMPTY", day(2))).toEqual([[0, undefined]]);
  });
});

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
  it("is JSON in JSON, in the site's language, uncached", async () => {
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

describe("a call for a promotion", () => {
  it("answers for the default site", async () => {
    const { app: turkish } = await createTestApp({ defaultSite: "TR" });
    const { body } = await request(turkish).get(`${path}/SHOP_FOOTER`).set("Host", "shop.internal").expect(200);
    expect(headlines("tr-TR")).toContain(JSON.parse(body.contentJSON).headline);
  });

  it.each(["SHOP_HEADER", "shop_footer", "x".repeat(65), "SHOP_FOOTER%00", "%27--", "a.b"])(
    "answers 404 for %s",
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
  ])("rejects an unknown site: %s %o", async (query, headers) => {
    const { body } = await request(app).get(`${path}/SHOP_FOOTER${query}`).set(headers).expect(400);
    expect(body).toMatchObject({ type: "INVALID_REQUEST", status: 400, errors: [{ field: "site" }] });
  });
});
