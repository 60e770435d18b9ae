import { expect, it } from "vitest";
import { checkEnv, variableOf } from "../../server/env.ts";
import { findStartFaults } from "../../server/find-production-faults.ts";
import { readCountries } from "../../server/sites/countries.ts";
import { exampleVariables, productionVariables } from "../support/production-variables.ts";
import { drawings, sites, texts } from "../support/test-app.ts";

const [{ site } = { site: "" }] = sites;
const origin = `SITE_ORIGIN_${site}`;
const secret = `whsec_${"A".repeat(43)}=`;

/** The sites at the origins of their countries' files. */
const { countries } = await readCountries({ folder: "countries", drawings, texts });

/** What a start with an environment is refused for; nothing where it goes on. */
function refusalsOf(variables: Record<string, string>): string[] {
  const checked = checkEnv(variables);
  const { siteOrigins } = checked.env;
  const served = countries.sites.map(({ site: code, origin: own }) => ({
    site: code,
    origin: siteOrigins.get(code) ?? own,
  }));
  return findStartFaults(checked, served);
}

/** What is changed of a complete environment, and the variable for which the start is refused then. */
const wrong: [what: string, changes: Record<string, string>, variable: string][] = [
  ["no proxy in front of https origins", { TRUST_PROXY: "" }, "TRUST_PROXY"],
  ["no mail server", { SMTP_URL: "" }, "SMTP_URL"],
  ["a mail server that is an example", { SMTP_URL: "smtp://mail.shop.example" }, "SMTP_URL"],
  ["no sender", { MAIL_FROM: "" }, "MAIL_FROM"],
  ["a sender that is an example", { MAIL_FROM: "Shop <news@shop.example>" }, "MAIL_FROM"],
  ["a sender on this machine", { MAIL_FROM: "shop@localhost" }, "MAIL_FROM"],
  ["the origin of the country's file, an example", { [origin]: "" }, origin],
  ["an origin below .example", { [origin]: "https://www.shop.example" }, origin],
  ["an origin of example.com", { [origin]: "https://www.example.com" }, origin],
  ["an origin below .test", { [origin]: "https://shop.test" }, origin],
  ["an origin below .invalid", { [origin]: "https://shop.invalid" }, origin],
  ["an origin of this machine", { [origin]: "http://localhost:3000" }, origin],
  ["an origin of the demo", { [origin]: "http://de.localhost:3000" }, origin],
  ["an address of this machine", { [origin]: "http://127.0.0.1:3000" }, origin],
  ["the demo with its accounts", { DEMO: "on" }, "DEMO"],
  ["a real login beside embedded customers", { UPSTREAM_LOGIN_URL: "http://login.internal" }, "UPSTREAM_CUSTOMER_URL"],
  [
    "a real newsletter beside embedded customers",
    { UPSTREAM_NEWSLETTER_URL: "http://n.internal" },
    "UPSTREAM_CUSTOMER_URL",
  ],
  [
    "events of an embedded newsletter that isn't there",
    {
      ...{ UPSTREAM_NEWSLETTER_URL: "http://n.internal", UPSTREAM_CUSTOMER_URL: "http://c.internal" },
      ...{ NEWSLETTER_WEBHOOK_URL: "https://sender.internal", NEWSLETTER_WEBHOOK_SECRET: secret },
    },
    "NEWSLETTER_WEBHOOK_URL",
  ],
  ["a secret for events that go nowhere", { NEWSLETTER_WEBHOOK_SECRET: secret }, "NEWSLETTER_WEBHOOK_URL"],
  ["events without a secret", { NEWSLETTER_WEBHOOK_URL: "https://sender.internal" }, "NEWSLETTER_WEBHOOK_SECRET"],
  ["an example for a real service", { UPSTREAM_PREVIEW_URL: "https://preview.shop.example" }, "UPSTREAM_PREVIEW_URL"],
  ["assets that browsers block", { ASSET_BASE_URL: "http://cdn.shop.internal" }, "ASSET_BASE_URL"],
  ["a misspelled real service", { UPSTREAM_LOGN_URL: "http://login.internal" }, "UPSTREAM_LOGN_URL"],
  ["a misspelled proxy", { TRUST_PROXI: "10.0.0.0/8" }, "TRUST_PROXI"],
  ["a misspelled origin", { [origin.replace("GI", "G")]: "https://www.shop.internal" }, origin.replace("GI", "G")],
  ["a key that is none", { KEY_ENCRYPTION_KEY: "example" }, "KEY_ENCRYPTION_KEY"],
  ["the key twice", { KEY_ENCRYPTION_KEY_FILE: "/run/secrets/key" }, "KEY_ENCRYPTION_KEY_FILE"],
  ["an origin of no country", { SITE_ORIGIN_XX: "https://xx.shop.internal" }, "SITE_ORIGIN_XX"],
  ["a default site that there isn't", { DEFAULT_SITE: "XX" }, "DEFAULT_SITE"],
  ["a level that there isn't", { LOG_LEVEL: "loud" }, "LOG_LEVEL"],
];

it.each(wrong)("the start in production is refused by name: %s", (_what, changes, variable) => {
  expect(refusalsOf({ ...productionVariables, ...changes })).toEqual([
    expect.stringMatching(new RegExp(`^environment: ${variable} .+$`)),
  ]);
});

it("the start in production is refused for all faults at once, each once", () => {
  const faults = refusalsOf({
    ...productionVariables,
    ...Object.assign({}, ...wrong.map(([, changes]) => changes)),
  });
  expect(faults.length).toBeGreaterThan(10);
  expect(new Set(faults.map(variableOf)).size).toBe(faults.length);
});

it("the start in production goes on with what it needs, and with nothing more", () => {
  expect(refusalsOf(productionVariables)).toEqual([]);
  const { SMTP_URL, MAIL_FROM, ...others } = productionVariables;
  const real = { UPSTREAM_NEWSLETTER_URL: "http://n.internal", UPSTREAM_CUSTOMER_URL: "http://c.internal" };
  expect(refusalsOf({ ...others, ...real })).toEqual([]);
  const plain = Object.entries(others).map(([name, value]) => [name, value.replace("https:", "http:")]);
  expect(refusalsOf({ ...Object.fromEntries(plain), ...real, TRUST_PROXY: "" })).toEqual([]);
});

it("the start in production is refused as long as an example of the documents isn't replaced", () => {
  const refused = refusalsOf(exampleVariables).map(variableOf);
  const { NODE_ENV: _production, TRUST_PROXY: _edge, ...examples } = exampleVariables;
  expect(refused).toEqual(expect.arrayContaining(Object.keys(examples)));
  expect(refused).not.toContain("TRUST_PROXY");
});

it("outside of production none of it is refused, which is no fault by itself", () => {
  expect(refusalsOf({ TRUST_PROXI: "10.0.0.0/8", UPSTREAM_LOGIN_URL: "http://login.internal" })).toEqual([]);
});
