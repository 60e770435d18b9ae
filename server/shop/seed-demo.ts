import type { Texts } from "../i18n.ts";
import type { Site } from "../sites/countries.ts";
import type { Database } from "./store/open-store.ts";
import type { Tables } from "./store/tables.ts";

interface DemoShop {
  db: Database;
  sites: readonly Site[];
  texts: Texts;
}

const test = "footer-promotion";
/** A moment before 2026 begins in any time zone. */
const always = { validFrom: Date.UTC(2025, 11, 31), validTo: null };
const festive = { validFrom: Date.UTC(2026, 11, 1), validTo: Date.UTC(2027, 0, 1) };
const everybody = { test: null, testGroup: null };
const groupB = { test, testGroup: "B" };

/** The promotions of each site: the names of their texts, and where their links lead. */
const promotions = [
  { name: "coffee", linkUrl: "/category/coffee", ...always, ...everybody },
  { name: "living", linkUrl: "/category/living-furniture", ...always, ...groupB },
  { name: "gifts", linkUrl: "/category/gifts", ...festive, ...everybody },
  { name: "coffeeGifts", linkUrl: "/category/coffee", ...festive, ...groupB },
] as const;

/** Adds an A/B test and promotions to try out, unless they are there; several replicas may do so at once. */
export async function seedDemo({ db, sites, texts }: DemoShop): Promise<void> {
  const rows = sites.flatMap((site) => buildPromotions(site, texts));
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("abTest")
      .values({ name: test, ...always })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .insertInto("abTestGroup")
      .values(["A", "B"].map((name, position) => ({ test, name, position })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await transaction
      .insertInto("promotion")
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Builds the promotions of a site; none when its locale has no texts for the demo. */
function buildPromotions({ site, locale }: Site, texts: Texts): Tables["promotion"][] {
  const text = texts.translator(locale, "demo");
  return promotions
    .filter(({ name }) => texts.has(locale, "demo", `${name}.headline`))
    .map(({ name, ...promotion }) => ({
      ...promotion,
      id: `demo-${site}-${name}`,
      key: "SHOP_FOOTER",
      site,
      headline: text(`${name}.headline`),
      text: text(`${name}.text`),
      linkText: text(`${name}.link`),
    }));
}
