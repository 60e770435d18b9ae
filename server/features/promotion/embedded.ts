import { type Request, Router } from "express";
import { hour, type Moment } from "../../../client/rules/time.ts";
import type { Promotion } from "../../../schemas/types.ts";
import { RequestError } from "../../platform/errors.ts";
import type { Texts } from "../../platform/texts.ts";
import type { PreviewOf } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import type { SiteResolver } from "../../sites/resolve-site.ts";
import type { Database } from "../../store/open-store.ts";
import type { Tables } from "../../store/tables.ts";
import type { PlannedPromotion } from "./service.ts";

declare module "../../store/tables.ts" {
  interface Tables {
    promotion: PromotionTable;
  }
}

interface PromotionTable {
  id: string;
  /** Place in the shop, for example SHOP_FOOTER. */
  key: string;
  site: string;
  headline: string;
  text: string;
  linkUrl: string;
  linkText: string;
  validFrom: Moment;
  /** The first moment after the promotion; null when it has no end. */
  validTo: Moment | null;
  /** The group of an A/B test that sees the promotion; both are null when everybody does. */
  test: string | null;
  testGroup: string | null;
}

/** Answers the calls of the embedded promotion service. */
export function promotionRoutes(db: Database, previewOf: PreviewOf, siteOf: SiteResolver): Router {
  const router = Router();
  router.get("/service/promotion/api/promotion/:key", async (request, response) => {
    const { site } = siteOf.call(request);
    const { at, selection } = (await previewOf(request)) ?? { at: Date.now() };
    const content = await findPromotion(db, keyOf(request), { site, at, selection });
    if (!content) throw new RequestError("notFound", "no such promotion");
    response.json({ contentJSON: JSON.stringify(content) });
  });
  return router;
}

/** Reads the key of a path, which must be a plain name: PostgreSQL rejects a NUL. */
function keyOf({ params }: Request): string {
  const key = String(params.key);
  if (!/^\w{1,64}$/.test(key)) throw new RequestError("notFound", "no such promotion");
  return key;
}

interface PromotionQuery {
  site: string;
  at: Moment;
  /** The group of an A/B test. */
  selection?: { test: string; group: string } | undefined;
}

/** Range of a plan: longer than footers are cached, and than the plan is kept. */
const ahead = hour;

/**
 * Finds the promotion of a place in the shop, such as SHOP_FOOTER. One for the selected group takes precedence over one
 * for everybody, and a later start over an earlier one.
 */
export async function findPromotion(db: Database, key: string, query: PromotionQuery): Promise<Promotion | undefined> {
  const row = await promotionsBetween(db, key, query, query.at).limit(1).executeTakeFirst();
  return row && promotionOf(row);
}

/** Lists the promotions for everybody in a place of the shop, from a moment on to an hour later. */
export async function planPromotions(
  db: Database,
  key: string,
  query: Pick<PromotionQuery, "site" | "at">,
): Promise<PlannedPromotion[]> {
  const { at } = query;
  const rows = await promotionsBetween(db, key, query, at + ahead).execute();
  const changes = rows
    .flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? Infinity])
    .filter((change) => at < change && change <= at + ahead);
  return [at, ...new Set(changes)]
    .sort((a, b) => a - b)
    .map((from) => ({ from, row: rows.find((row) => row.validFrom <= from && from < (row.validTo ?? Infinity)) }))
    .filter(({ row }, index, all) => index === 0 || row !== all[index - 1]?.row)
    .map(({ from, row }) => ({ from, promotion: row && promotionOf(row) }));
}

/** Selects the promotions valid at any time between the query's moment and another one, in order of precedence. */
function promotionsBetween(db: Database, key: string, { site, at, selection }: PromotionQuery, until: Moment) {
  return db
    .selectFrom("promotion")
    .select(["headline", "text", "linkUrl", "linkText", "validFrom", "validTo"])
    .where("key", "=", key)
    .where("site", "=", site)
    .where("validFrom", "<=", until)
    .where(({ eb, or }) => or([eb("validTo", "is", null), eb("validTo", ">", at)]))
    .where(({ eb, or, and }) =>
      or([
        eb("test", "is", null),
        ...(selection ? [and([eb("test", "=", selection.test), eb("testGroup", "=", selection.group)])] : []),
      ]),
    )
    .orderBy("test", (order) => order.asc().nullsLast())
    .orderBy("validFrom", "desc")
    .orderBy("id");
}

function promotionOf(row: { headline: string; text: string; linkUrl: string; linkText: string }): Promotion {
  return { headline: row.headline, text: row.text, link: { url: row.linkUrl, text: row.linkText } };
}

/** A moment before 2026 begins in any time zone. */
const always = { validFrom: Date.UTC(2025, 11, 31), validTo: null };
const festive = { validFrom: Date.UTC(2026, 11, 1), validTo: Date.UTC(2027, 0, 1) };
const everybody = { test: null, testGroup: null };
const groupB = { test: "footer-promotion", testGroup: "B" };

/** The demo's promotions of each site, by the names of their texts. */
const demoPromotions = [
  { name: "coffee", linkUrl: "/category/coffee", ...always, ...everybody },
  { name: "living", linkUrl: "/category/living-furniture", ...always, ...groupB },
  { name: "gifts", linkUrl: "/category/gifts", ...festive, ...everybody },
  { name: "coffeeGifts", linkUrl: "/category/coffee", ...festive, ...groupB },
] as const;

/** Adds the demo's promotions unless they exist; several replicas may do so at once. */
export async function seedDemoPromotions(db: Database, sites: readonly Site[], texts: Texts): Promise<void> {
  await db
    .insertInto("promotion")
    .values(sites.flatMap((site) => buildPromotions(site, texts)))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Builds the promotions of a site; none when its locale has no texts for the demo. */
function buildPromotions({ site, locale }: Site, texts: Texts): Tables["promotion"][] {
  const text = texts.translator(locale, "demo");
  return demoPromotions
    .filter(({ name }) => texts.find(locale, "demo", `${name}.headline`) !== undefined)
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
