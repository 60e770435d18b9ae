import type { Env } from "./env.ts";
import { findMistakes, findProductionFaults } from "./find-production-faults.ts";
import type { Logger } from "./logger.ts";
import type { Site } from "./sites/countries.ts";

type WarnedSite = Pick<Site, "site" | "locale" | "origin" | "imprint" | "missingConsentTexts"> & {
  newsletter: Pick<Site["newsletter"], "sender">;
};

/**
 * Warns of settings, countries and texts with which the service starts, but doesn't do what a shop needs.
 * @param gaps - what in countries and texts is still to be done
 */
export function warnOfSettings(env: Env, sites: readonly WarnedSite[], gaps: readonly string[], logger: Logger): void {
  if (gaps.length > 0) logger.warn({ count: gaps.length, gaps }, "countries and their texts have gaps");
  for (const { site, locale, missingConsentTexts: keys } of sites)
    if (keys.length > 0)
      logger.warn({ site, locale, keys }, "the locale lacks texts of the consent: the site offers no newsletter");
  if (env.upstreams.customer && !env.upstreams.login)
    logger.warn(
      "UPSTREAM_LOGIN_URL isn't set beside UPSTREAM_CUSTOMER_URL: the real customer service gets credentials of the embedded login service, which it can't check",
    );
  if (!env.production) {
    const faults = env.demo ? findMistakes(env) : findProductionFaults(env, sites);
    if (faults.length > 0) logger.warn({ faults }, "a start in production would be refused for these settings");
  }
  if (env.demo) return;
  const fields = sites.flatMap(findBlanks);
  if (fields.length > 0) logger.warn({ fields }, "countries have blanks, which shoppers read: fill in each ‹…›");
}

/** Lists the fields of a country in which the shop has to fill something in. */
function findBlanks({ site, imprint, newsletter }: WarnedSite): string[] {
  const values = {
    "imprint/address": imprint.address,
    "imprint/register": imprint.register,
    "newsletter/sender": newsletter.sender,
  };
  return Object.entries(values).flatMap(([field, value]) => (/\u2039.*\u203a/.test(value) ? [`${site}/${field}`] : []));
}
