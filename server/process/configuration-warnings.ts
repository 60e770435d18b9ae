import type { Env } from "../config/env.ts";
import { findHalfPairs } from "../config/half-pairs.ts";
import { isThisMachine } from "../config/reserved-hosts.ts";
import type { Logger } from "../platform/logger.ts";
import type { Texts } from "../platform/texts.ts";
import type { Site } from "../sites/countries.ts";
import { findBlanks, findGaps } from "../sites/find-gaps.ts";
import { findMistakes, findProductionFaults } from "./production-checks.ts";

interface ConfiguredContext {
  env: Env;
  logger: Logger;
  /** The sites, with the origins at which they are served. */
  countries: { sites: readonly Site[] };
  texts: Texts;
}

/** Logs a warning for settings, countries and texts with which the service starts, but doesn't do what a shop needs. */
export function warnOfConfiguration({ env, countries: { sites }, texts, logger }: ConfiguredContext): void {
  const gaps = findGaps(sites, texts);
  if (gaps.length > 0)
    logger.warn(
      { gaps: countByFile(gaps) },
      "countries and their texts have gaps, which the command `country gaps` lists",
    );
  for (const { site, locale, missingConsentTexts: keys, unknownImages } of sites) {
    for (const { path, name } of unknownImages)
      logger.error({ site, field: path, source: name }, "the country names an image that doesn't exist: none is shown");
    if (keys.length > 0)
      logger.warn({ site, locale, keys }, "the locale lacks texts of the consent: the site offers no newsletter");
  }
  for (const { variable, beside } of findHalfPairs(env, "login", ["customer"]))
    logger.warn(
      `${variable} names no real service beside ${beside}: the real customer service gets credentials of the embedded login service, which it can't check`,
    );
  if (!env.production) {
    const faults = env.demo ? findMistakes(env) : findProductionFaults(env, sites);
    if (faults.length > 0) logger.warn({ faults }, "a start in production would be refused for these settings");
  }
  if (env.production) for (const warning of findPlainConnections(env)) logger.warn(warning);
  if (env.demo) return;
  const blanks = sites.flatMap((site) => findBlanks(site, texts).map(() => site.site));
  if (blanks.length > 0)
    logger.warn({ blanks: countByFile(blanks) }, "countries have blanks, which shoppers read: fill in each ‹…›");
}

/** Counts lines by their first word, which is a site or a file. A new country has hundreds of lines. */
function countByFile(lines: readonly string[]): Record<string, number> {
  const byFile = Map.groupBy(lines, (line) => line.split(" ", 1)[0] ?? line);
  return Object.fromEntries([...byFile].map(([file, { length }]) => [file, length]));
}

/** Lists the connections to other machines that may carry personal data without TLS. */
function findPlainConnections({ variables: { DATABASE_URL = "", SMTP_URL = "" } }: Env): string[] {
  const [database, mail] = [URL.parse(DATABASE_URL), URL.parse(SMTP_URL)];
  const isRemote = (url: URL | null) => url !== null && url.hostname !== "" && !isThisMachine(url.hostname);
  const isPlain = (database?.searchParams.get("sslmode") ?? "disable") === "disable";
  // With a password, TLS is required.
  const mayBePlain = mail?.protocol === "smtp:" && mail.password === "";
  return [
    ...(isRemote(database) && isPlain ? ["DATABASE_URL connects without TLS: add sslmode=verify-full"] : []),
    ...(isRemote(mail) && mayBePlain
      ? ["SMTP_URL connects without TLS unless the server offers it: use smtps://"]
      : []),
  ];
}
