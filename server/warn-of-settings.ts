import type { Env } from "./env.ts";
import type { Logger } from "./logger.ts";
import type { Site } from "./sites/countries.ts";

/** Warns of settings with which the service starts, but doesn't do what a shop in production needs. */
export function warnOfSettings(env: Env, sites: readonly Pick<Site, "origin">[], logger: Logger): void {
  if (env.demo) return;
  if (!env.smtpUrl && !env.upstreams.newsletter)
    logger.warn("SMTP_URL isn't set: mails of the newsletter become files, and reach nobody");
  if (env.trustProxy.length === 0 && sites.some(({ origin }) => origin.startsWith("https:")))
    logger.warn("TRUST_PROXY isn't set: behind a proxy, all visitors count as one network");
}
