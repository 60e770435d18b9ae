import { type Env, knownVariables, usesEmbedded } from "../config/env.ts";
import { findTypo } from "../config/find-typo.ts";
import { findHalfPairs } from "../config/half-pairs.ts";
import { hostNameOf, isExample, isReserved } from "../config/reserved-hosts.ts";
import type { UncheckedSite } from "../sites/countries.ts";

interface Rule {
  isBroken: boolean;
  /** The variable, its requirement and the reason. */
  fault: string;
}

/**
 * Finds settings with which a service in production would harm shoppers.
 * @returns each fault as `environment: <variable> <what it must be, and why>`
 */
export function findProductionFaults(env: Env, sites: readonly UncheckedSite[]): string[] {
  const { assetBaseUrl = "", mailFrom, smtpUrl, trustProxy } = env;
  const sendsMail = usesEmbedded(env, "newsletter");
  const isSecure = sites.some(({ origin }) => origin.startsWith("https:"));
  const sender = /@([^@>]+)>?$/.exec(mailFrom)?.[1] ?? "";
  const rules: Rule[] = [
    {
      isBroken: env.demo,
      fault:
        "DEMO must be off where NODE_ENV is production, as its accounts let anybody in: leave NODE_ENV unset to try it",
    },
    {
      isBroken: isSecure && trustProxy.length === 0,
      fault:
        "TRUST_PROXY must name the proxies that serve the https origins, such as 10.0.42.0/28: without it all visitors count as one, and share one limit",
    },
    {
      isBroken: sendsMail && !smtpUrl,
      fault:
        "SMTP_URL must name the mail server, such as smtps://user:password@host:465: the embedded newsletter's mails become files without it",
    },
    {
      isBroken: sendsMail && isReserved(sender),
      fault: `MAIL_FROM must be an address of the shop, such as Shop <newsletter@host>: nobody can reply to ${mailFrom}`,
    },
    {
      isBroken: isSecure && assetBaseUrl.startsWith("http:"),
      fault: "ASSET_BASE_URL must be https, as browsers load nothing else into the pages of https origins",
    },
  ];
  return [
    ...faultsOf(rules),
    ...sites
      .filter(({ origin }) => isReserved(hostNameOf(origin)))
      .map(
        ({ site, origin }) =>
          `environment: SITE_ORIGIN_${site} must be the origin at which shoppers reach the site, which ${origin} can't be`,
      ),
    ...Object.entries(env.variables)
      .filter(([name, value = ""]) => /^OIDC_(STAFF_)?ISSUER/.test(name) && value.startsWith("http:"))
      .map(([name]) => `environment: ${name} must be https, as passwords and tokens travel there`),
    ...Object.entries(env.variables)
      .filter(([name, value = ""]) => !name.startsWith("SITE_ORIGIN_") && isExample(hostNameOf(value)))
      .map(([name, value = ""]) => `environment: ${name} must name a real server: ${hostNameOf(value)} is an example`),
    ...findMistakes(env),
  ];
}

/** Finds settings that are wrong even in the demo, but don't prevent its start. */
export function findMistakes(env: Env): string[] {
  const { newsletterWebhook, sites, unknownVariables, variables } = env;
  const ofPurges = ["PURGE_FORM", "PURGE_TOKEN", "PURGE_TOKEN_FILE", "PURGE_CHECK"].find((name) => variables[name]);
  const hasNewsletter = usesEmbedded(env, "newsletter");
  const [webhookSecret, eventsSecret] = ["NEWSLETTER_WEBHOOK_SECRET", "NEWSLETTER_EVENTS_SECRET"].map((secret) =>
    [secret, `${secret}_FILE`].find((name) => variables[name]),
  );
  const rules: Rule[] = [
    {
      isBroken: newsletterWebhook !== undefined && !hasNewsletter,
      fault:
        "NEWSLETTER_WEBHOOK_URL must not be set where every site has a real newsletter service: only the embedded one has events",
    },
    {
      isBroken: eventsSecret !== undefined && !hasNewsletter,
      fault: `${eventsSecret} must not be set where every site has a real newsletter service: it takes the sender's reports itself`,
    },
    {
      isBroken: webhookSecret !== undefined && newsletterWebhook === undefined,
      fault: `NEWSLETTER_WEBHOOK_URL is missing beside ${webhookSecret}: nobody gets the events`,
    },
    {
      isBroken: ofPurges !== undefined && variables.PURGE_URL === undefined,
      fault: `PURGE_URL is missing beside ${ofPurges}: nothing is purged`,
    },
  ];
  const halves = findHalfPairs(env, "customer", ["login", "newsletter"]).map(
    ({ variable, beside }) =>
      `environment: ${variable} must name a real service beside ${beside}: the embedded customer service knows nobody there, so no form is prefilled, and no subscriber is spared the newsletter's form`,
  );
  const known = knownVariables(sites);
  const typos = unknownVariables.flatMap((name) => findTypo(name, known));
  return [...halves, ...faultsOf(rules), ...typos];
}

function faultsOf(rules: readonly Rule[]): string[] {
  return rules.flatMap(({ isBroken, fault }) => (isBroken ? [`environment: ${fault}`] : []));
}
