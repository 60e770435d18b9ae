import { describe, expect, it } from "vitest";
import { findActiveTests } from "../../../../server/features/abtests/embedded.ts";
import { findPromotion } from "../../../../server/features/promotion/embedded.ts";
import { seedDemo } from "../../../support/seed-demo.ts";
import { createTestApp, sites, testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

const { deps } = await createTestApp();
const { db } = deps.store;
const christmas = Date.parse("2026-12-24T12:00:00Z");
const summer = Date.parse("2027-07-01T12:00:00Z");
const groupB = { test: "footer-promotion", group: "B" };

describe.each(sites)("the demo of $site", ({ site, locale, footer }) => {
  const find = (at: number, selection?: typeof groupB) => findPromotion(db, "SHOP_FOOTER", { site, at, selection });

  it("promotes something else to each group in each season", async () => {
    const found = [
      await find(summer),
      await find(summer, groupB),
      await find(christmas),
      await find(christmas, groupB),
    ];
    const text = deps.texts.translator(locale, "demo");
    expect(found.map((promotion) => [promotion?.headline, promotion?.text, promotion?.link.text])).toEqual([
      [text("coffee.headline"), text("coffee.text"), text("coffee.link")],
      [text("living.headline"), text("living.text"), text("living.link")],
      [text("gifts.headline"), text("gifts.text"), text("gifts.link")],
      [text("coffeeGifts.headline"), text("coffeeGifts.text"), text("coffeeGifts.link")],
    ]);
    expect(new Set(found.map((promotion) => promotion?.headline)).size).toBe(4);
    for (const promotion of found) expect(JSON.stringify(footer)).toContain(`"${promotion?.link.url}"`);
  });

  it("shows group A the promotion for everybody", async () => {
    expect(await find(summer, { ...groupB, group: "A" })).toEqual(await find(summer));
  });

  it("promotes nothing before 2020", async () => {
    expect(await find(Date.parse("2019-12-31T23:59:59Z"), groupB)).toBeUndefined();
  });
});

describe("the demo", () => {
  it("is added once, and leaves changed rows alone", async () => {
    const store = await openTestStore(testLogger);
    const demo = { db: store.db, sites, texts: deps.texts };
    await seedDemo(demo);
    await store.db.updateTable("promotion").set({ headline: "Changed" }).where("site", "=", "DE").execute();
    const rows = () => store.db.selectFrom("promotion").selectAll().orderBy("id").execute();
    const before = await rows();
    await Promise.all([seedDemo(demo), seedDemo(demo)]);
    expect(await rows()).toEqual(before);
    expect(before).toHaveLength(4 * sites.length);
    expect(await findActiveTests(store.db, summer)).toHaveLength(1);
  });

  it("skips a site without demo texts", async () => {
    const store = await openTestStore(testLogger);
    const without = sites.slice(0, 1).map((site) => ({ ...site, site: "XX", locale: "xx-XX" }));
    await seedDemo({ db: store.db, sites: [...without, ...sites], texts: deps.texts });
    expect(await store.db.selectFrom("promotion").select("id").where("site", "=", "XX").execute()).toEqual([]);
  });
});
