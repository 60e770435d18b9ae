import type { Command } from "commander";
import { Router } from "express";
import { hour, type Moment, second } from "../../../client/rules/time.ts";
import type { Promotion, PromotionAnswer } from "../../../schemas/types.ts";
import { staffCookieNames } from "../../http/cookies.ts";
import { refuseBrokenLetters } from "../../platform/broken-letters.ts";
import { RequestError } from "../../platform/errors.ts";
import type { Texts } from "../../platform/texts.ts";
import { toIso, toIsoOrNull } from "../../platform/time.ts";
import { createValidator } from "../../platform/validate.ts";
import type { Preview, PreviewOf } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import type { SiteResolver } from "../../sites/resolve-site.ts";
import type { Run } from "../../store/command.ts";
import type { Database } from "../../store/open-store.ts";
import type { Tables } from "../../store/tables.ts";
import { createFetchJson, parseJson } from "../../upstream/fetch-json.ts";
import { openServices } from "../../upstream/site-upstreams.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { AppContext, Feature } from "../feature.ts";
import type { PromotionService } from "./service.ts";

declare module "../../store/tables.ts" {
  interface Tables {
    promotion: {
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
    };
  }
}

/** What the footers of the sites promote. */
export async function createPromotion(
  context: AppContext,
  previewOf: PreviewOf,
): Promise<Feature & { promotions: PromotionService }> {
  const { upstreams } = context;
  const services = await openServices(upstreams.promotion, (real) =>
    real ? { promotions: createPromotionUpstream(real), routes: [] } : openEmbedded(context, previewOf),
  );
  return {
    service: {
      name: "promotion",
      paths: [{ path: "/service/promotion", isPublic: true }],
      allowed: { cookies: staffCookieNames },
      upstreams: upstreams.promotion,
      routes: services.all.flatMap(({ routes }) => routes),
    },
    promotions: {
      planned: (site) => services.of(site).promotions.planned(site),
      previewed: (site, preview) => services.of(site).promotions.previewed(site, preview),
    },
  };
}

async function openEmbedded({ countries, env, openStore, siteOf, texts }: AppContext, previewOf: PreviewOf) {
  const { db } = await openStore();
  if (env.demo) await seedDemoPromotions(db, countries.sites, texts, !env.upstreams.abtest);
  return { promotions: createEmbeddedPromotions(db), routes: [promotionRoutes(db, previewOf, siteOf)] };
}

const base = "/service/promotion/api/promotion";
/** The footer's place in the shop. */
const footerKey = "SHOP_FOOTER";

/**
 * Creates the caller of the real promotion service. It knows no later promotions; with the cookies of staff it
 * answers the one that they preview.
 */
export function createPromotionUpstream(upstream: Upstream): PromotionService {
  const name = "promotion";
  // The service's start waits for the first calls.
  const fetchJson = createFetchJson({ ...upstream, name, deadline: 2 * second, maxAnswer: 64 * 1024 });
  const validateAnswer = createValidator<PromotionAnswer>("promotion-answer");
  const validatePromotion = refuseBrokenLetters(createValidator<Promotion>("promotion"));
  return {
    planned: async (site) => [{ from: -Infinity, promotion: await find(site) }],
    previewed: (site, { cookie }) => find(site, cookie),
  };

  /** @param cookie - that of staff who preview; undefined for the promotion that everybody sees, which is polled */
  async function find({ site }: Site, cookie?: string): Promise<Promotion | undefined> {
    const answer = await fetchJson({
      path: `${base}/${footerKey}`,
      headers: { "x-site": site, ...(cookie !== undefined && { cookie }) },
      polledFor: cookie === undefined ? site : undefined,
      validate: validateAnswer,
    });
    return answer && parseJson(name, "contentJSON", answer.contentJSON, validatePromotion);
  }
}

/** How far a plan reaches: longer than footers are cached, and than the plan is kept. */
const ahead = hour;

export function createEmbeddedPromotions(db: Database): PromotionService {
  return {
    async planned({ site }) {
      const at = Date.now();
      const rows = await selectPromotions(db, footerKey, site, { at }, at + ahead).execute();
      const changes = rows
        .flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? Infinity])
        .filter((change) => at < change && change <= at + ahead);
      return [at, ...new Set(changes)]
        .sort((a, b) => a - b)
        .map((from) => ({ from, row: rows.find((row) => row.validFrom <= from && from < (row.validTo ?? Infinity)) }))
        .filter(({ row }, index, all) => index === 0 || row !== all[index - 1]?.row)
        .map(({ from, row }) => ({ from, promotion: row && toPromotion(row) }));
    },
    previewed: ({ site }, preview) => findPromotion(db, footerKey, site, preview),
  };
}

/** Answers the calls of the embedded promotion service. */
function promotionRoutes(db: Database, previewOf: PreviewOf, siteOf: SiteResolver): Router {
  const router = Router();
  router.get(`${base}/:key`, async (request, response) => {
    const { site } = siteOf.call(request);
    const preview = (await previewOf(request)) ?? { at: Date.now() };
    const key = String(request.params.key);
    // PostgreSQL rejects a NUL.
    const promotion = /^\w{1,64}$/.test(key) ? await findPromotion(db, key, site, preview) : undefined;
    if (!promotion) throw new RequestError("notFound", "no such promotion");
    response.json({ contentJSON: JSON.stringify(promotion) });
  });
  return router;
}

/** Finds the promotion of a place in the shop. */
async function findPromotion(db: Database, key: string, site: string, preview: Preview) {
  const row = await selectPromotions(db, key, site, preview, preview.at).limit(1).executeTakeFirst();
  return row && toPromotion(row);
}

/**
 * Selects the promotions of a place that are valid at any time from the preview's moment until another one. One for the
 * selected group takes precedence over one for everybody, and a later start over an earlier one.
 */
function selectPromotions(db: Database, key: string, site: string, { at, selection }: Preview, until: Moment) {
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

type Row = Pick<Tables["promotion"], "headline" | "text" | "linkUrl" | "linkText">;

function toPromotion({ headline, text, linkUrl, linkText }: Row): Promotion {
  return { headline, text, link: { url: linkUrl, text: linkText } };
}

const everybody = { test: null, testGroup: null };
const groupB = { test: "footer-promotion", testGroup: "B" };

/** The demo's promotions of each site, by the names of their texts. */
const demoPromotions = [
  { name: "coffee", linkUrl: "/category/coffee", period: "always", ...everybody },
  { name: "living", linkUrl: "/category/living-furniture", period: "always", ...groupB },
  { name: "gifts", linkUrl: "/category/gifts", period: "festive", ...everybody },
  { name: "coffeeGifts", linkUrl: "/category/coffee", period: "festive", ...groupB },
] as const;

/**
 * Adds the demo's promotions unless they exist, where a locale has texts for them. Several replicas may do so at once.
 * @param hasTests - whether the store has the demo's A/B test, to whose groups some promotions are limited
 */
export async function seedDemoPromotions(
  db: Database,
  sites: readonly Site[],
  texts: Texts,
  hasTests: boolean,
): Promise<void> {
  const promotions = sites.flatMap(({ site, locale, timeZone }) => {
    const text = texts.translator(locale, "demo");
    const startOf = (day: string) => Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds;
    const periods = {
      // A moment before 2026 begins in any time zone.
      always: { validFrom: Date.UTC(2025, 11, 31), validTo: null },
      festive: { validFrom: startOf("2026-12-01"), validTo: startOf("2027-01-01") },
    };
    return demoPromotions
      .filter(({ name, test }) => (hasTests || test === null) && texts.find(locale, "demo", `${name}.headline`))
      .map(({ name, period, ...promotion }) => ({
        ...promotion,
        ...periods[period],
        id: `demo-${site}-${name}`,
        key: footerKey,
        site,
        headline: text(`${name}.headline`),
        text: text(`${name}.text`),
        linkText: text(`${name}.link`),
      }));
  });
  if (promotions.length === 0) return;
  await db
    .insertInto("promotion")
    .values(promotions)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Adds the command that lists promotions, the earliest first, each with the A/B group that it is limited to. */
export function promotionCommands(program: Command, run: Run): void {
  program
    .command("promotions")
    .command("list")
    .description("list the promotions")
    .action(
      run(async ({ openStore, output }) => {
        const { db } = await openStore();
        const rows = await db
          .selectFrom("promotion")
          .select(["id", "key", "site", "headline", "validFrom", "validTo", "test", "testGroup as group"])
          .orderBy("validFrom")
          .orderBy("id")
          .execute();
        const listed = rows.map(({ validFrom, validTo, ...promotion }) => ({
          ...promotion,
          ...{ validFrom: toIso(validFrom), validTo: toIsoOrNull(validTo) },
        }));
        await output.list(listed);
      }),
    );
}
