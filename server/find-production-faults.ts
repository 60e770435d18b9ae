import { type CheckedEnv, type Env, variableOf } from "./env.ts";
import { isExampleHost, isLocalHost } from "./http/reserved-hosts.ts";
import { realServices } from "./services/real-services.ts";
import type { Site } from "./sites/countries.ts";

type PublicSite = Pick<Site, "site" | "origin">;

/**
 * Finds all for which a start is refused: what is wrong in the environment, and in production what can't be there. What
 * is wrong with a variable is said once.
 * @param sites - those that are served, at their origins
 */
export function findStartFaults({ env, faults }: CheckedEnv, sites: readonly PublicSite[]): string[] {
  const wrong = new Set(faults.map(variableOf));
  // Without the shop's own folder, the sites are others than those that are meant.
  const meant = wrong.has("SHOP_DIR") ? [] : sites;
  const ofProduction = env.production ? findProductionFaults(env, meant) : [];
  return [...faults, ...ofProduction.filter((fault) => !wrong.has(variableOf(fault)))];
}

/**
 * Finds the settings that are right by themselves, and with which shoppers would be served wrongly.
 * @param sites - those that are served, at their origins
 * @returns each as `environment: <variable> <what it must be, and why>`
 */
export function findProductionFaults(env: Env, sites: readonly PublicSite[]): string[] {
  const faults = [
    ...findDemo(env),
    ...findUnreachableSites(sites),
    ...findUnknownEdge(env, sites),
    ...findLostMails(env),
    ...findBlockedAssets(env, sites),
    ...findExampleServers(env),
  ];
  return [...faults.map(ofEnvironment), ...findMistakes(env)];
}

/** Finds the settings that nobody can want, be it in production or in the demo. */
export function findMistakes(env: Pick<Env, "misspelled" | "newsletterWebhook" | "set" | "upstreams">): string[] {
  const misspelled = env.misspelled.map(
    ({ name, meant }) => `${name} is not known: rename it to ${meant}, or remove it`,
  );
  return [...findHalfServices(env), ...findLostEvents(env), ...misspelled].map(ofEnvironment);
}

function ofEnvironment(fault: string): string {
  return `environment: ${fault}`;
}

function findDemo({ demo }: Env): string[] {
  return demo
    ? ["DEMO must be off where NODE_ENV is production, as its accounts let anybody in: leave NODE_ENV unset to try it"]
    : [];
}

function findUnreachableSites(sites: readonly PublicSite[]): string[] {
  return sites.flatMap(({ site, origin }) => {
    const host = hostOf(origin);
    return isExampleHost(host) || isLocalHost(host)
      ? [`SITE_ORIGIN_${site} must be the origin at which shoppers reach the site, which ${origin} can't be`]
      : [];
  });
}

function findUnknownEdge({ trustProxy }: Env, sites: readonly PublicSite[]): string[] {
  return trustProxy.length === 0 && sites.some(isSecure)
    ? [
        "TRUST_PROXY must name the proxies that serve the https origins, such as 10.0.0.0/8: without it all visitors count as one, and share one limit",
      ]
    : [];
}

function findLostMails({ smtpUrl, mailFrom, upstreams }: Env): string[] {
  if (upstreams.newsletter) return [];
  const domain = /@([^@>]+)>?$/.exec(mailFrom)?.[1] ?? "";
  return [
    ...(smtpUrl
      ? []
      : [
          "SMTP_URL must name the mail server, such as smtps://user:password@host:465: the embedded newsletter's mails become files without it",
        ]),
    ...(isExampleHost(domain) || isLocalHost(domain)
      ? [`MAIL_FROM must be an address of the shop, such as Shop <newsletter@host>: nobody can answer to ${mailFrom}`]
      : []),
  ];
}

/** Finds the real services beside which another one must be real, too. */
function findHalfServices({ upstreams: { customer, login, newsletter } }: Pick<Env, "upstreams">): string[] {
  if (customer || !(login || newsletter)) return [];
  const beside = [...(login ? ["UPSTREAM_LOGIN_URL"] : []), ...(newsletter ? ["UPSTREAM_NEWSLETTER_URL"] : [])];
  return [
    `UPSTREAM_CUSTOMER_URL must be set beside ${beside.join(" and ")}: the embedded customer service knows nobody there, so no form is prefilled, and no subscriber is spared the newsletter's form`,
  ];
}

function findLostEvents({
  newsletterWebhook,
  set,
  upstreams,
}: Pick<Env, "newsletterWebhook" | "set" | "upstreams">): string[] {
  if (newsletterWebhook && upstreams.newsletter)
    return [
      "NEWSLETTER_WEBHOOK_URL must not be set beside UPSTREAM_NEWSLETTER_URL: only the embedded newsletter has events",
    ];
  const secret = ["NEWSLETTER_WEBHOOK_SECRET", "NEWSLETTER_WEBHOOK_SECRET_FILE"].find((name) => set.has(name));
  return secret && !newsletterWebhook
    ? [`NEWSLETTER_WEBHOOK_URL is missing beside ${secret}: nobody gets the events`]
    : [];
}

function findBlockedAssets({ assetBaseUrl }: Env, sites: readonly PublicSite[]): string[] {
  return assetBaseUrl && !isSecure({ origin: assetBaseUrl }) && sites.some(isSecure)
    ? ["ASSET_BASE_URL must be https, as browsers load nothing else into the pages of https origins"]
    : [];
}

/** Finds the addresses that somebody has copied, and not filled in. */
function findExampleServers({ assetBaseUrl, databaseUrl, newsletterWebhook, purgeUrl, smtpUrl, upstreams }: Env) {
  const addresses = {
    DATABASE_URL: databaseUrl,
    ASSET_BASE_URL: assetBaseUrl,
    SMTP_URL: smtpUrl,
    NEWSLETTER_WEBHOOK_URL: newsletterWebhook?.url,
    PURGE_URL: purgeUrl,
    ...Object.fromEntries(realServices.map(({ name, variable }) => [variable, upstreams[name]])),
  };
  return Object.entries(addresses).flatMap(([name, url]) => {
    const host = url === undefined ? "" : hostOf(url);
    return isExampleHost(host) ? [`${name} must name a server that there is: ${host} is an example`] : [];
  });
}

function isSecure({ origin }: Pick<PublicSite, "origin">): boolean {
  return origin.startsWith("https:");
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? "";
}
