import type { Brand } from "../brand/brand.ts";
import { type CheckedEnv, upstreamsOf } from "../config/env.ts";
import { dropConsequentialFaults, variableOf } from "../platform/faults.ts";
import { findShop } from "../platform/shop-folder.ts";
import type { Texts } from "../platform/texts.ts";
import type { UncheckedSite } from "../sites/countries.ts";
import { findBlanks, showsImprint } from "../sites/find-gaps.ts";
import { findProductionFaults } from "./production-checks.ts";

interface LoadedShop {
  shop: { brand: Pick<Brand, "legalNames" | "topics" | "imprints">; texts: Texts };
  /** The countries, valid or not, with the origins at which they are to be served. */
  uncheckedSites: readonly UncheckedSite[];
  faults: readonly string[];
}

/**
 * Finds everything that prevents a start: faults of the environment and of the shop, companies of sites that don't
 * exist and, in production, settings and blanks that would harm shoppers. Each variable is named once.
 */
export function findStartFaults(
  { env, faults }: CheckedEnv,
  { shop, uncheckedSites, faults: ofShop }: LoadedShop,
): string[] {
  // Without the shop's own folder, these aren't the intended countries.
  const meant = faults.some((fault) => variableOf(fault) === "SHOP_DIR") ? [] : uncheckedSites;
  const further = [
    ...(env.production ? findProductionFaults(env, meant) : []),
    ...findUnknownSites(shop.brand, env.sites),
    ...(env.production ? findBlankFaults(meant.filter(showsCompany), shop.texts) : []),
    ...(env.production && env.shopFolder.countries === findShop().countries
      ? findBuiltInTopics(meant.filter(showsCompany), shop.brand.topics)
      : []),
    ...(env.production ? findRuleGaps(meant, env.siteOrigins, shop.brand.topics) : []),
  ];
  return [...faults, ...dropConsequentialFaults(further, [...faults, ...ofShop]), ...ofShop];

  /** Whether shoppers of a site read about its company: in the embedded newsletter, or in the footer. */
  function showsCompany({ site, footer }: UncheckedSite): boolean {
    return upstreamsOf(env, site).newsletter === undefined || showsImprint(footer);
  }
}

/** @returns each fault as `brand.json <field> <message>` */
function findUnknownSites(
  { legalNames, topics, imprints }: LoadedShop["shop"]["brand"],
  sites: readonly string[],
): string[] {
  return Object.entries({ legalNames, topics, imprints }).flatMap(([field, bySite]) =>
    Object.keys(bySite)
      .filter((site) => !sites.includes(site))
      .map((site) => `brand.json /${field}/${site} isn't a site: it must be one of ${sites.join(", ")}`),
  );
}

/**
 * Finds sites whose consents would name what the built-in shop sells.
 * @param own - the shop's topics, by site
 * @returns each fault as `brand.json <field> <message>`
 */
function findBuiltInTopics(sites: readonly UncheckedSite[], own: Readonly<Record<string, string>>): string[] {
  return sites
    .filter(({ site }) => own[site] === undefined)
    .map(
      ({ site, newsletter }) =>
        `brand.json /topics/${site} must be filled in, in the folder of SHOP_DIR: shoppers of ${site} would consent to emails about "${newsletter.topics}"`,
    );
}

/** The fields that say by which rules, and in whose name, a country's shoppers are addressed. */
const ruleFields = /^\/(?:newsletter|imprint|facts|origin)(?:\/|$)/;

/**
 * Finds rules that are still those of the country from which a file was made.
 * @param origins - by site, they replace what the files say
 * @param topics - the same
 * @returns each fault as `<file> <field> <message>`
 */
function findRuleGaps(
  sites: readonly UncheckedSite[],
  origins: ReadonlyMap<string, string>,
  topics: Readonly<Record<string, string>>,
): string[] {
  return sites.flatMap(({ file, site, gaps = [] }) =>
    gaps
      .filter((field) => ruleFields.test(field))
      .filter((field) => !(field === "/origin" && origins.has(site)))
      .filter((field) => !(field === "/newsletter/topics" && topics[site] !== undefined))
      .map((field) => `${file} ${field} is still another country's: set it, and take it out of /gaps`),
  );
}

/** @returns each fault as `<file> <field> <message>` */
function findBlankFaults(sites: readonly UncheckedSite[], texts: Texts): string[] {
  return sites.flatMap((site) =>
    findBlanks(site, texts).map(
      ({ place, value }) =>
        `${place} must be filled in, in the folder of SHOP_DIR: shoppers of ${site.site} would read the blanks of "${value}"`,
    ),
  );
}
