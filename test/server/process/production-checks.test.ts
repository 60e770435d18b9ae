import { expect, it } from "vitest";
import brand from "../../../.github/shop/brand.json" with { type: "json" };
import { checkEnv, readEnv } from "../../../server/config/env.ts";
import { variableOf } from "../../../server/platform/faults.ts";
import { warnOfConfiguration } from "../../../server/process/configuration-warnings.ts";
import { findStartFaults } from "../../../server/process/start-faults.ts";
import { readCountries, type Site } from "../../../server/sites/countries.ts";
import { exampleVariables, productionVariables } from "../../support/production-variables.ts";
import { drawings, siteOf, texts } from "../../support/test-app.ts";
import { createTestLog } from "../../support/test-log.ts";

const model = siteOf("DE");
const { site } = model;
const origin = `SITE_ORIGIN_${site}`;
const secret = `whsec_${"A".repeat(43)}=`;

const realNewsletter = { UPSTREAM_NEWSLETTER_URL: "http://n.internal", UPSTREAM_CUSTOMER_URL: "http://c.internal" };
const realLogin = { UPSTREAM_LOGIN_URL: "http://login.internal" };

const unnamed = { legalNames: {}, topics: {}, imprints: {} };
/** The sites at the origins of their countries' files, run by the companies of a brand. */
const sitesOf = async (companies: typeof unnamed) =>
  (await readCountries({ folder: "countries", drawings, texts, brand: companies })).countries.sites;
const [filled, built] = await Promise.all([sitesOf(brand), sitesOf(unnamed)]);
/** Those whose companies a shop has to name. */
const blank = built.filter(({ newsletter }) => newsletter.sender.includes("‹"));

/** The faults for which a start is refused. */
function refusalsOf(variables: Record<string, string>, changes: object = {}): string[] {
  const checked = checkEnv(variables);
  const { sites, faults, ...shop } = { brand, sites: filled, texts, faults: [], ...changes };
  const uncheckedSites = sites.map((own) => ({ ...own, origin: checked.env.siteOrigins.get(own.site) ?? own.origin }));
  return findStartFaults(checked, { shop, uncheckedSites, faults });
}

/** The warnings of a start; all sites are as given. */
function warningsOf(variables: Record<string, string>, changes: Partial<Site> = {}) {
  const { logger, lines } = createTestLog();
  const origin = "https://www.shop.internal";
  const sites = filled.filter((own) => own.site === site).map((own) => ({ ...own, origin, ...changes }));
  warnOfConfiguration({ env: readEnv({ ...variables }), countries: { sites }, texts, logger });
  return lines.filter(({ level }) => level === 40);
}

/** Changes to a complete environment, each with the variable for which the start is refused. */
const wrong: [what: string, changes: Record<string, string>, variable: string][] = [
  ["no proxy in front of https origins", { TRUST_PROXY: "" }, "TRUST_PROXY"],
  ["no mail server", { SMTP_URL: "" }, "SMTP_URL"],
  ["no sender", { MAIL_FROM: "" }, "MAIL_FROM"],
  ["a sender that is an example", { MAIL_FROM: "Shop <news@shop.example>" }, "MAIL_FROM"],
  ["a sender on this machine", { MAIL_FROM: "shop@localhost" }, "MAIL_FROM"],
  ["the origin of the country's file, an example", { [origin]: "" }, origin],
  ["an origin below .example", { [origin]: "https://www.shop.example" }, origin],
  ["an origin of this machine", { [origin]: "http://localhost:3000" }, origin],
  ["an address of this machine", { [origin]: "http://127.0.0.1:3000" }, origin],
  ["the demo with its accounts", { DEMO: "on" }, "DEMO"],
  ["a real login beside embedded customers", realLogin, "UPSTREAM_CUSTOMER_URL"],
  [
    "a real newsletter beside embedded customers",
    { UPSTREAM_NEWSLETTER_URL: "http://n.internal" },
    "UPSTREAM_CUSTOMER_URL",
  ],
  [
    "a real login beside embedded customers on one site",
    { [`UPSTREAM_LOGIN_URL_${site}`]: "http://login.internal" },
    `UPSTREAM_CUSTOMER_URL_${site}`,
  ],
  [
    "embedded customers beside a real login on one site",
    { ...realLogin, UPSTREAM_CUSTOMER_URL: "http://c.internal", [`UPSTREAM_CUSTOMER_URL_${site}`]: "embedded" },
    `UPSTREAM_CUSTOMER_URL_${site}`,
  ],
  [
    "no mail server for the site that keeps the embedded newsletter",
    { ...realNewsletter, [`UPSTREAM_NEWSLETTER_URL_${site}`]: "embedded", SMTP_URL: "" },
    "SMTP_URL",
  ],
  [
    "an example for the real service of a site",
    { [`UPSTREAM_PROMOTION_URL_${site}`]: "https://promotion.shop.example" },
    `UPSTREAM_PROMOTION_URL_${site}`,
  ],
  [
    "events of an embedded newsletter that isn't there",
    { ...realNewsletter, NEWSLETTER_WEBHOOK_URL: "https://sender.internal", NEWSLETTER_WEBHOOK_SECRET: secret },
    "NEWSLETTER_WEBHOOK_URL",
  ],
  [
    "reports to an embedded newsletter that isn't there",
    { ...realNewsletter, NEWSLETTER_EVENTS_SECRET: secret },
    "NEWSLETTER_EVENTS_SECRET",
  ],
  ["a secret for events that go nowhere", { NEWSLETTER_WEBHOOK_SECRET: secret }, "NEWSLETTER_WEBHOOK_URL"],
  ["a form of purges that go nowhere", { PURGE_FORM: "fastly", PURGE_TOKEN: "token" }, "PURGE_URL"],
  ["an example for a real service", { UPSTREAM_PREVIEW_URL: "https://preview.shop.example" }, "UPSTREAM_PREVIEW_URL"],
  ["assets that browsers block", { ASSET_BASE_URL: "http://cdn.shop.internal" }, "ASSET_BASE_URL"],
  ["a misspelled real service", { UPSTREAM_LOGN_URL: "http://login.internal" }, "UPSTREAM_LOGN_URL"],
];

it.each(wrong)("production refuses %s", (_what, changes, variable) => {
  expect(refusalsOf({ ...productionVariables, ...changes })).toEqual([
    expect.stringMatching(new RegExp(`^environment: ${variable} .+$`)),
  ]);
});

it("production reports all faults at once, each once", () => {
  const faults = refusalsOf({
    ...productionVariables,
    ...Object.assign({}, ...wrong.map(([, changes]) => changes)),
  });
  expect(faults.length).toBeGreaterThan(8);
  expect(new Set(faults.map(variableOf)).size).toBe(faults.length);
});

it("production accepts what it needs, and asks for nothing more", () => {
  expect(refusalsOf(productionVariables)).toEqual([]);
  const { SMTP_URL, MAIL_FROM, ...others } = productionVariables;
  expect(refusalsOf({ ...others, ...realNewsletter })).toEqual([]);
  const plain = Object.entries(others).map(([name, value]) => [name, value.replace("https:", "http:")]);
  expect(refusalsOf({ ...Object.fromEntries(plain), ...realNewsletter, TRUST_PROXY: "" })).toEqual([]);
});

it("production refuses the documents' examples", () => {
  const { SHOP_DIR: _folder, ...variables } = exampleVariables;
  const refused = refusalsOf(variables).map(variableOf);
  const { NODE_ENV: _production, TRUST_PROXY: _edge, ...examples } = variables;
  expect(refused).toEqual(expect.arrayContaining(Object.keys(examples)));
  expect(refused).not.toContain("TRUST_PROXY");
});

it("outside of production, the same faults are warnings", () => {
  const variables = { DEMO: "off", TRUST_PROXI: "10.0.0.0/8", UPSTREAM_LOGIN_URL: "http://login.internal" };
  expect(refusalsOf(variables)).toEqual([]);
  const named = (changes: object) =>
    warningsOf({ ...variables, ...changes }).flatMap(({ faults }) =>
      Array.isArray(faults) ? faults.map(variableOf) : [],
    );
  expect(named({})).toEqual(expect.arrayContaining(["SMTP_URL", "MAIL_FROM", "UPSTREAM_CUSTOMER_URL", "TRUST_PROXI"]));
  expect(named({ DEMO: "on" })).toEqual(["UPSTREAM_CUSTOMER_URL", "TRUST_PROXI"]);
  const half = { UPSTREAM_LOGIN_URL: "", [`UPSTREAM_LOGIN_URL_${site}`]: "http://login.internal" };
  expect(named({ ...half, DEMO: "on" })).toEqual([`UPSTREAM_CUSTOMER_URL_${site}`, "TRUST_PROXI"]);
  expect(warningsOf(productionVariables)).toEqual([]);
});

it.each([
  ["DATABASE_URL", "postgres://shop:secret@db.shop.internal/shop", "postgres://db.shop.internal/shop?sslmode=disable"],
  ["SMTP_URL", "smtp://mail.shop.internal", "smtp://mail.shop.internal:587"],
])("production warns of a connection without TLS to another machine: %s", (name, ...plain) => {
  const messages = (url: string) => warningsOf({ ...productionVariables, [name]: url }).map(({ msg }) => msg);
  for (const url of plain) expect(messages(url)).toEqual([expect.stringMatching(`^${name} .*TLS.*: `)]);
  const safe = {
    DATABASE_URL: ["postgres://127.0.0.1/shop", "postgres://db.shop.internal/shop?sslmode=no-verify"],
    SMTP_URL: ["smtp://localhost", "smtp://user:secret@mail.shop.internal", "smtps://mail.shop.internal"],
  };
  for (const url of safe[name === "SMTP_URL" ? name : "DATABASE_URL"]) expect(messages(url)).toEqual([]);
});

it.each(["on", "off"])("a real customer service beside the embedded login is a warning, with DEMO=%s", (DEMO) => {
  const variables = { DEMO, ...realNewsletter };
  const isNamed = ({ msg }: { msg?: unknown }) => String(msg).startsWith("UPSTREAM_LOGIN_URL names no");
  expect(warningsOf(variables).filter(isNamed)).toHaveLength(1);
  expect(warningsOf({ ...variables, UPSTREAM_LOGIN_URL: "http://l.internal" }).filter(isNamed)).toEqual([]);
  const ofSite = { DEMO, [`UPSTREAM_CUSTOMER_URL_${site}`]: "http://c.internal" };
  expect(warningsOf(ofSite)).toContainEqual(
    expect.objectContaining({ msg: expect.stringMatching(`^UPSTREAM_LOGIN_URL_${site} names no`) }),
  );
});

it("production refuses every blank in companies and texts, by the place to fill in, where emails or a footer show them", () => {
  const refused = (changes: object, variables = {}) => {
    const faults = refusalsOf({ ...productionVariables, ...variables }, changes);
    return faults.map((fault) => fault.split(" ").slice(0, 2).join(" "));
  };
  const bundle: typeof texts.bundle = (locale, namespace) => ({
    ...texts.bundle(locale, namespace),
    ...(locale === model.locale && namespace === "mail" && { "confirm.text": "Guten Tag, ‹Name der Firma›" }),
  });
  const named = refused({ sites: blank, texts: { ...texts, bundle }, brand: unnamed }, { SMTP_URL: "" });
  expect(named).toEqual(
    expect.arrayContaining([
      "environment: SMTP_URL",
      ...blank.flatMap((own) => [
        `brand.json /legalNames/${own.site}`,
        `brand.json /topics/${own.site}`,
        ...["address", "register"].map((field) => `brand.json /imprints/${own.site}/${field}`),
      ]),
      ...["mersis", "kep", "email", "phone"].map((field) => `brand.json /imprints/TR/${field}`),
      `locales/${model.locale}/mail.json /confirm.text`,
    ]),
  );
  expect(named).toHaveLength(1 + 4 * blank.length + 4 + 1);
  const ofFooter = [
    ...["address", "register", "mersis", "kep", "email", "phone"].map((field) => `imprints/TR/${field}`),
    "legalNames/TR",
  ];
  const withReal = refused({ sites: blank }, realNewsletter);
  expect(withReal.sort()).toEqual(ofFooter.map((field) => `brand.json /${field}`).sort());
  const [kept] = blank.map((own) => own.site);
  const ofOne = refused({ sites: blank }, { ...realNewsletter, [`UPSTREAM_NEWSLETTER_URL_${kept}`]: "embedded" });
  expect(ofOne).toContain(`brand.json /legalNames/${kept}`);
  expect(ofOne.filter((line) => !line.includes(`/${kept}`) && !withReal.includes(line))).toEqual([]);
  const faults = ["brand.json isn't valid JSON"];
  expect(refused({ sites: blank, faults }), "what brand.json fills in isn't known").toEqual(["brand.json isn't"]);
});

it("production refuses rules that are still another country's, but no other gaps", () => {
  const gaps = ["/origin", "/imprint", "/apps", "/navigation", "/newsletter", "/footer", "/facts/returnPeriod"];
  const refused = (variables: Record<string, string>, changes: object = { gaps }) =>
    refusalsOf(variables, { sites: [{ ...model, ...changes }] }).filter((fault) => fault.startsWith(model.file));
  const lines = (fields: string[]) =>
    fields.map((field) => `${model.file} ${field} is still another country's: set it, and take it out of /gaps`);
  const ofRules = ["/imprint", "/newsletter", "/facts/returnPeriod"];
  // The environment of production names the origin.
  expect(refused(productionVariables)).toEqual(lines(ofRules));
  expect(refused({ ...productionVariables, [origin]: "" })).toEqual(lines(["/origin", ...ofRules]));
  expect(refused({})).toEqual([]);
  // The brand names the topics.
  expect(refused(productionVariables, { gaps: ["/newsletter/topics"] })).toEqual([]);
});

it("production refuses a shop's blank in the topics of consents, and the topics of the built-in shop", () => {
  const refused = (topics: string | undefined, named: Record<string, string>) => {
    const sites = filled
      .filter((own) => own.site === site)
      .map((own) => ({ ...own, newsletter: { ...own.newsletter, topics } }));
    return refusalsOf(productionVariables, { sites, brand: { ...brand, topics: named } });
  };
  const place = `brand.json /topics/${site} must be filled in, in the folder of SHOP_DIR: shoppers of ${site} would`;
  expect(refused("Kaffee und Mode", {})).toEqual([`${place} consent to emails about "Kaffee und Mode"`]);
  expect(refused("‹Waren›", { [site]: "‹Waren›" })).toEqual([`${place} read the blanks of "‹Waren›"`]);
});

it("refuses companies of sites that don't exist, in production and elsewhere", () => {
  const strangers = {
    ...brand,
    legalNames: { XX: "Nobody" },
    topics: { ...brand.topics, ZZ: "Waren" },
    imprints: { DE: {}, YY: {} },
  };
  for (const variables of [productionVariables, {}])
    expect(refusalsOf(variables, { brand: strangers })).toEqual(
      ["legalNames/XX", "topics/ZZ", "imprints/YY"].map((field) =>
        expect.stringMatching(new RegExp(`^brand\\.json /${field} isn't a site: it must be one of AT, .*TR$`)),
      ),
    );
});

it("counts blanks in a warning outside of the demo, gaps and missing texts everywhere", () => {
  const newsletter = { ...model.newsletter, sender: "Shop ‹Rechtsform›" };
  const changes = { newsletter, missingConsentTexts: ["legal.consent"], gaps: ["/imprint", "/facts/phone"] };
  expect(warningsOf({ DEMO: "on" }, changes)).toMatchObject([
    { level: 40, gaps: { [model.file]: 2 } },
    { level: 40, site, keys: ["legal.consent"] },
  ]);
  expect(warningsOf({ ...productionVariables, ...realNewsletter }, changes).at(-1)).toMatchObject({
    blanks: { [site]: 1 },
  });
});

const typosOf = (names: string) =>
  Object.fromEntries(
    refusalsOf({ ...productionVariables, ...Object.fromEntries(names.split(/\s+/).map((name) => [name, "x"])) }).map(
      (fault) => [variableOf(fault), / to (\w+)/.exec(fault)?.[1]],
    ),
  );

it.each([
  ["UPSTREAM_LOGIN", "UPSTREAM_LOGIN_URL"],
  ["NEWSLETTER_WEBHOOK_SECRETS", "NEWSLETTER_WEBHOOK_SECRET"],
  ["SITE_ORIGN_DE", "SITE_ORIGIN_DE"],
  ["LOGLEVEL", "LOG_LEVEL"],
  ["SMPT_URL", "SMTP_URL"],
])("a misspelled variable is named with the right one: %s", (name, meant) => {
  expect(typosOf(name)).toEqual({ [name]: meant });
});

it("ignores the variables of a shell, a container, a pod, a CI and other programs", () => {
  const services = ["KUBERNETES", "SMTP", "DATABASE", "DEMO", "OBS", "UPSTREAM", "NEWSLETTER_WEBHOOK"].flatMap(
    (name) => [
      ...[`${name}_SERVICE_HOST`, `${name}_SERVICE_PORT`, `${name}_SERVICE_PORT_HTTP`, `${name}_PORT`],
      ...["", "_PROTO", "_PORT", "_ADDR"].map((part) => `${name}_PORT_80_TCP${part}`),
    ],
  );
  const others =
    "HOME HOSTNAME LANG LOGNAME MAIL PATH PWD TERM TMPDIR TZ USER NODE_VERSION NODE_OPTIONS NODE_ENV2 NO_PROXY HTTP_PROXY no_proxy HOSTS PORTS HSTS_MAX_AGE DEMO_MODE CI GITHUB_ENV BUILD_URL JOB_URL NODE_NAME NODE COLOR API_URL BASE_URL SHOP_URL DATABASE_HOST MAIL_TO MAIL_HOST REDIS_URL OTEL_LOGS_EXPORTER OTEL_PROPAGATORS OTEL_EXPORTER_OTLP_TIMEOUT OTEL_EXPORTER_OTLP_LOGS_ENDPOINT PGHOST";
  expect(typosOf([others, ...services].join(" "))).toEqual({});
});
