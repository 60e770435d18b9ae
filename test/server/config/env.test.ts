import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schemas/env.schema.json" with { type: "json" };
import { checkEnv, readEnv } from "../../../server/config/env.ts";
import type { MetricsExport, Tracing } from "../../../server/config/telemetry.ts";
import { logConfiguration } from "../../../server/process/log-configuration.ts";
import { countries, sites } from "../../support/test-app.ts";
import { createTestLog } from "../../support/test-log.ts";

/** The faults that the environment is refused for. */
const faultsOf = (variables: Record<string, string>) => checkEnv(variables).faults;

const signed = { NEWSLETTER_WEBHOOK_SECRET: `whsec_${"A".repeat(43)}=` };
/** Files of secrets, one of them wrong. */
const folder = await mkdtemp(join(tmpdir(), "env-"));
afterAll(() => rm(folder, { recursive: true }));
const write = async (name: string, content: string) => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};
const keyFile = await write("key", `${"A".repeat(43)}\n`);
const webhookFile = await write("webhook", `${signed.NEWSLETTER_WEBHOOK_SECRET}\n`);
const spacedFile = await write("spaced", "canary canary");
const wrongFile = await write("wrong", "whsec_canary");
const signedPurges = { PURGE_URL: "http://varnish", PURGE_TOKEN: signed.NEWSLETTER_WEBHOOK_SECRET };
const staffClient = { OIDC_STAFF_CLIENT_ID: "preview", OIDC_STAFF_CLIENT_SECRET: "s" };
/** Variables that must be set beside another. */
const besides: Record<string, Record<string, string>> = {
  PURGE_FORM: signedPurges,
  NEWSLETTER_WEBHOOK_URL: signed,
  DATABASE_URL: { SECRET_KEY: "A".repeat(43) },
  ...providerSets("OIDC"),
  ...providerSets("OIDC_STAFF", { OIDC_STAFF_GROUP: "groups=shop-staff" }),
  OIDC_STAFF_GROUP: { OIDC_STAFF_ISSUER: "https://login.internal", ...staffClient },
  OIDC_STAFF_ACR: {
    OIDC_STAFF_ISSUER: "https://login.internal",
    OIDC_STAFF_GROUP: "groups=shop-staff",
    ...staffClient,
  },
};

/** The variables that belong together. */
function providerSets(prefix: string, others: Record<string, string> = {}) {
  const [issuer, id, secret, file] = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET", "CLIENT_SECRET_FILE"].map(
    (part) => `${prefix}_${part}`,
  ) as [string, string, string, string];
  const withIssuer = { ...others, [issuer]: "https://login.internal" };
  const withId = { ...others, [id]: "shop" };
  return {
    [issuer]: { ...withId, [secret]: "s" },
    [id]: { ...withIssuer, [secret]: "s" },
    [secret]: { ...withIssuer, ...withId },
    [file]: { ...withIssuer, ...withId },
  };
}

const key = "A".repeat(43);
const address: [string, string] = [
  "https://sender.example/events?shop=1 | http://127.0.0.1:4000",
  "sender.example/events | ftp://sender.example | https:// | https://shop:secret@sender.example",
];
const webhookSecret: [string, string] = [
  `whsec_${"A".repeat(32)} | whsec_${key}=, whsec_${"d-_".repeat(14)}e`,
  `secret | ${key} | whsec_${"A".repeat(31)} | whsec_${key}, | whsec_${"A".repeat(90)}`,
];
const upstream: [string, string] = [
  "https://service.internal | https://service.internal/ | https://gateway.example/login-service | http://[::1]:8080/a/b/",
  "service.internal | unix:/run/service | off | https:// | https://gateway.example:99999/login | https://gateway.example/a/../b | https://gateway.example/%2e%2e/b | https://gateway.example\\login | https://gateway.example/login?key=1 | https://gateway.example/login#a | https://shop:secret@gateway.example/login",
];
const issuer: [string, string] = [
  "https://login.internal | https://login.internal/ | https://login.internal/realms/shop | http://127.0.0.1:8080/realms/shop | http://idp.localhost",
  "login.internal | http://login.internal | http://127.0.0.1.login.internal | https://login.internal?a | https://login.internal/#a | https://shop:secret@login.internal | https://login.internal/a/../b",
];
const onOff: [string, string] = ["on | off", "true"];

/** Valid and invalid values of each variable. */
const values: Record<string, [right: string, wrong?: string]> = {
  HOST: ["0.0.0.0 | :: | shop.internal"],
  PORT: ["0 | 80 | 65535", "abc | -1 | 65536 | 1.5 | 80 81"],
  ALLOWED_HOSTS: [
    "shop.test | Shop.test, 192.0.2.7, [::1], storefront_fragments",
    "shop.test:3000 | http://shop.test | *.shop.test | shop.test, | shop.test other.test | shop.test/a",
  ],
  OPS_PORT: ["0 | 9464", "off | 65536"],
  DATA_DIR: ["./data | /var/lib/shop | data folder"],
  SECRET_KEY: [
    `${key}= | ${"b+/".repeat(14)}c | ${"d-_".repeat(14)}e,${key}=`,
    `example | ${"A".repeat(42)} | ${key}A= | ${key}=, | ${"0".repeat(64)}`,
  ],
  SECRET_KEY_FILE: [keyFile, `/no/such/file | ${wrongFile}`],
  NEWSLETTER_WEBHOOK_URL: address,
  NEWSLETTER_WEBHOOK_SECRET: webhookSecret,
  NEWSLETTER_WEBHOOK_SECRET_FILE: [webhookFile, `/no/such/file | ${wrongFile} | ${keyFile}`],
  NEWSLETTER_EVENTS_SECRET: webhookSecret,
  NEWSLETTER_EVENTS_SECRET_FILE: [webhookFile, `/no/such/file | ${wrongFile} | ${keyFile}`],
  EDGE_TAG_HEADERS: [
    "Surrogate-Key | Cache-Tag, Surrogate-Key | Edge-Cache-Tag | x-amz-meta-cache-tag | X_Tags",
    "Surrogate Key | Cache-Tag; x | Cache-Tag, | Cache-Tag, cache-tag | Cache-Control | etag | Content-Length | X-Fragment-State | Tägs",
  ],
  PURGE_URL: address,
  PURGE_FORM: ["varnish | fastly | cloudflare | webhook", "akamai | Fastly"],
  PURGE_CHECK: onOff,
  PURGE_TOKEN: [`${"A".repeat(32)} | whsec_x`, "a b | tök"],
  PURGE_TOKEN_FILE: [webhookFile, `/no/such/file | ${spacedFile}`],
  DATABASE_URL: [
    "postgres://localhost | postgres://shop:p%40ss%2Fword@db.internal:6432/shop?sslmode=verify-full | postgres://[::1]:5432/shop | postgresql://db.internal?sslmode=require&sslrootcert=/etc/ca.pem&application_name=shop",
    "postgresql:///shop?host=/run/postgresql | postgresql://one.internal,other.internal/shop | postgres://localhost/shop?sslmode=prefer | postgres://localhost/shop?statement_timeout=0 | postgres://localhost/shop/other | mysql://localhost/shop | localhost:5432/shop | postgres:// | postgres://localhost:99999/shop | postgres://shop:p@ss@localhost/shop | postgres://shop:12/ss@localhost/shop | postgres://shop:p#ss@localhost/shop | postgres://shop:p?ss@localhost/shop",
  ],
  SHOP_DIR: [`test | ${process.cwd()}`, "/no/such/folder | package.json"],
  DEFAULT_SITE: ["CH_FR", "de | XX"],
  ASSET_BASE_URL: [
    "https://cdn.example | http://localhost:8080/ | https://cdn.example/shop/assets",
    "cdn.example | //cdn.example | /assets | ftp://cdn.example | https:/// | https://cdn.example:99999 | https://cdn.example/?v=1 | https://cdn.example/#a | https://cdn.example/a, b | https://cdn.example; script-src *",
  ],
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_HEADERS: [
    "api-key=secret | Authorization=Basic%20c2hvcDpzZWNyZXQ= | Authorization=Bearer a.b_c, x-team=shop",
    "secret | =secret | api-key= | api key=secret | api-key=secret;x | api-key=%zz | a=%0a | a=1, | a=é",
  ],
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: ["api-key=secret", "secret"],
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: ["api-key=secret", "secret"],
  OTEL_EXPORTER_OTLP_PROTOCOL: ["http/protobuf | http/json", "grpc"],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ["http/protobuf | http/json", "grpc"],
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: ["http/protobuf | http/json", "grpc"],
  OTEL_TRACES_SAMPLER: ["always_off | parentbased_traceidratio", "jaeger_remote"],
  OTEL_TRACES_SAMPLER_ARG: ["0 | 0.01 | 1", "2 | -0.1 | 10%"],
  OTEL_SERVICE_NAME: ["shop-fragments"],
  OTEL_RESOURCE_ATTRIBUTES: [
    "team=shop | deployment.environment.name=production,k8s.pod.name=a%3Db | empty=",
    "production | =production | a=b=c | a=%zz | a=b,",
  ],
  OTEL_TRACES_EXPORTER: ["otlp | none", "jaeger"],
  OTEL_METRICS_EXPORTER: ["otlp | prometheus | none", "console"],
  OTEL_METRIC_EXPORT_INTERVAL: ["1000 | 60000", "60 | 60s | -1 | 1e9"],
  OTEL_METRIC_EXPORT_TIMEOUT: ["1 | 30000", "0 | 30s"],
  OTEL_SDK_DISABLED: ["true | false", "yes"],
  SMTP_URL: [
    "smtp://localhost | smtp://[::1]:2525 | smtps://shop@mail.internal | smtps://shop:p%40ss%2Fword@mail.internal:465",
    "localhost:25 | http://mail.internal | smtp:// | smtp:///mail | smtp://mail.internal:99999 | smtps://shop:p@ss@mail.internal | smtps://shop:12/ss@mail.internal | smtps://shop:p#ss@mail.internal | smtps://shop:p?ss@mail.internal | smtp://mail.internal?debug=true",
  ],
  MAIL_FROM: [
    'news@shop.example | Shop <news@shop.example> | <news@shop.example> | "Shop, Ltd" <news@shop.example>',
    "shop.example | news@ | @shop.example | Shop <news> | a b@shop.example | a@shop.example, b@shop.example | a@shop.example\r\nBcc: b@shop.example | Shop\r\nBcc: x <a@shop.example> | news@a@shop.example",
  ],
  REPORT_URL: [
    "https://reports.example/csp?key=a%20b | https://127.0.0.1:8000/",
    'http://reports.example | http://127.0.0.1:8000/ | reports.example | https://user@reports.example | https://reports.example/" | https://reports.example/;a | https://reports.example/, b | https://reports.example/#a',
  ],
  RENDER_CACHE: ["on | off", "true | ON"],
  TRUST_PROXY: [
    "10.0.0.0/8 | 192.0.2.7 | 192.0.2.7/32 | 2001:db8::/32 | ::1 | ::1/128 | 10.0.0.0/8,fd00::/8 | 10.0.0.0/8 , ::1",
    "true | 1 | loopback | proxy.example | 10.0.0.0/33 | 10.0.0.0/-1 | 10.0.0.0/ | 10.0.0.0/8/8 | 10.0.0.0/255.0.0.0 | 10.0.0/8 | 2001:db8::/129 | 10.0.0.0/8, | 10.0.0.0/8;10.1.0.0/16 | *",
  ],
  ORIGINAL_ADDRESS_FROM: ["10.1.0.0/16 , fd00::/8", "true | 10.0.0.0/33"],
  UPSTREAM_ABTEST_URL: upstream,
  UPSTREAM_PROMOTION_URL: upstream,
  UPSTREAM_NEWSLETTER_URL: upstream,
  UPSTREAM_CUSTOMER_URL: upstream,
  UPSTREAM_LOGIN_URL: upstream,
  UPSTREAM_PREVIEW_URL: upstream,
  UPSTREAM_LOGIN_URL_AT: [`${upstream[0]} | embedded`, upstream[1]],
  UPSTREAM_CONTENT_URL: upstream,
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: ["shop"],
  OIDC_CLIENT_SECRET: ["secret"],
  OIDC_CLIENT_SECRET_FILE: [keyFile, "/no/such/file | package.json"],
  OIDC_STAFF_ISSUER: issuer,
  OIDC_STAFF_CLIENT_ID: ["preview"],
  OIDC_STAFF_CLIENT_SECRET: ["secret"],
  OIDC_STAFF_CLIENT_SECRET_FILE: [keyFile, "/no/such/file | package.json"],
  OIDC_STAFF_GROUP: [
    "groups=shop-staff | https://shop.example/groups=staff | memberOf=cn=staff,ou=shop",
    "shop-staff | groups= | =shop-staff | the groups=shop-staff",
  ],
  OIDC_STAFF_ACR: ["mfa | urn:mace:incommon:iap:silver", "a b"],
  DEMO_PASSWORD: ["open sesame", `${"x".repeat(7)} | ${"x".repeat(257)}`],
  DEMO: onOff,
  OVERVIEW: onOff,
  HSTS: [
    "off | max-age=0 | max-age=31536000; includeSubDomains; preload",
    "on | 31536000 | max-age=1 year | max-age=1; preload; includeSubDomains | max-age=1\nX: 1",
  ],
  NODE_ENV: ["production | development | test | staging", "prod | Production"],
  OPERATOR: ["eve | Ada, support", "x".repeat(201)],
  LOG_LEVEL: ["trace | debug | info | warn | error | fatal | silent", "loud | INFO | 30"],
  SITE_ORIGIN_DE: [
    "https://www.shop.example | http://localhost:3000",
    "www.shop.example | https://www.shop.example/ | https://www.shop.example/de | https://www.shop.example?de | https://www.shop.example:99999 | ftp://www.shop.example | on",
  ],
};
const each = (kind: 0 | 1) =>
  Object.entries(values).flatMap(([name, cases]) =>
    (cases[kind]?.split(" | ") ?? []).map((value): [string, string] => [name, value]),
  );

describe("the environment", () => {
  it("is tested here in every variable of its schema", () => {
    expect(Object.keys(values).sort()).toEqual(
      [...Object.keys(schema.properties), "SITE_ORIGIN_DE", "UPSTREAM_LOGIN_URL_AT"].sort(),
    );
  });

  it("has a default for everything that must be set", () => {
    expect(readEnv({})).toMatchObject({
      host: "127.0.0.1",
      port: 3000,
      opsPort: 9464,
      dataDir: "./data",
      logLevel: "info",
      renderCache: true,
      defaultSite: "DE",
      sites: sites.map(({ site }) => site),
      mailFrom: "newsletter@example.com",
      production: false,
      demo: true,
      overview: true,
      outbox: true,
      trustProxy: [],
      originalAddressFrom: [],
      allowedHosts: [],
      hsts: "max-age=63072000; includeSubDomains",
      siteOrigins: new Map(),
      variables: {},
      databaseUrl: undefined,
      smtpUrl: undefined,
      assetBaseUrl: undefined,
      demoPassword: undefined,
    });
  });

  it("treats a blank variable as not set, and ignores those of others", () => {
    const blank = Object.fromEntries(Object.keys(values).map((name) => [name, " "]));
    const { unknownVariables, ...env } = readEnv({ ...blank, PATH: "/bin", port: "abc" });
    expect({ ...env, unknownVariables: [] }).toEqual(readEnv({}));
    expect(unknownVariables).toEqual(["PATH", "port"]);
  });

  it.each([
    ["SMTP_URL", "smtp://shop:secret@mail.internal:99999"],
    ["DATABASE_URL", "postgres://shop:secret@db.internal:99999/shop"],
    ["SECRET_KEY", "canary"],
    ["NEWSLETTER_WEBHOOK_SECRET", "whsec_secret"],
    ["NEWSLETTER_WEBHOOK_SECRET_FILE", wrongFile],
    ["NEWSLETTER_EVENTS_SECRET", "whsec_secret"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "secret"],
    ["PURGE_TOKEN", "secret secret"],
    ["PURGE_TOKEN_FILE", spacedFile],
  ])("is refused without the value of a wrong %s", (name, value) => {
    expect(String(faultsOf({ [name]: value }))).not.toMatch(/(?<!be )secret|canary/);
  });

  it("has the shop's own sites alone, the first of which is the default", () => {
    expect(readEnv({ SHOP_DIR: "examples/maestral" })).toMatchObject({ sites: ["GR", "HR"], defaultSite: "GR" });
  });

  it("is asked for the sites of a folder only where there is the folder", () => {
    const url = "https://gr.shop.internal";
    const ofSites = { DEFAULT_SITE: "GR", SITE_ORIGIN_GR: url, UPSTREAM_LOGIN_URL_GR: url };
    expect(faultsOf({ ...ofSites, SHOP_DIR: "/no/such/folder" })).toEqual([
      "environment: SHOP_DIR must be an existing folder",
    ]);
    expect(faultsOf(ofSites)).toHaveLength(3);
  });

  it.each([
    [{ DATABASE_URL: "postgres://localhost/shop" }, /^SECRET_KEY is missing beside DATABASE_URL: all replicas need /],
    [{ SECRET_KEY: key, SECRET_KEY_FILE: keyFile }, /^SECRET_KEY_FILE must not be set beside SECRET_KEY$/],
    [
      { NEWSLETTER_WEBHOOK_URL: "https://sender.example/events" },
      /^NEWSLETTER_WEBHOOK_SECRET is missing beside NEWSLETTER_WEBHOOK_URL$/,
    ],
    [
      { ...signed, NEWSLETTER_WEBHOOK_SECRET_FILE: webhookFile },
      /^NEWSLETTER_WEBHOOK_SECRET_FILE must not be set beside NEWSLETTER_WEBHOOK_SECRET$/,
    ],
    ...["fastly", "cloudflare", "webhook"].map((form): [Record<string, string>, RegExp] => [
      { PURGE_URL: "https://edge.example", PURGE_FORM: form },
      /^PURGE_TOKEN is missing beside PURGE_FORM$/,
    ]),
    [{ ...signedPurges, PURGE_FORM: "webhook", PURGE_TOKEN: "canary" }, /^PURGE_TOKEN must be whsec_ and /],
    [{ PURGE_FORM: "webhook", PURGE_TOKEN_FILE: keyFile }, /^PURGE_TOKEN_FILE must be whsec_ and /],
  ])("refuses what needs a secret and has none, and two secrets: %j", (variables, fault) => {
    const [only, ...others] = faultsOf(variables);
    expect(only?.replace("environment: ", "")).toMatch(fault);
    expect(others).toEqual([]);
  });

  it.each<[Record<string, string>, Tracing | undefined]>([
    [{}, { protocol: "http/protobuf", sampler: "parentbased_always_on", ratio: 1 }],
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" },
      { protocol: "http/json", sampler: "traceidratio", ratio: 0.1 },
    ],
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/protobuf" },
      { protocol: "http/protobuf", sampler: "parentbased_always_on", ratio: 1 },
    ],
    [{ OTEL_SDK_DISABLED: "true" }, undefined],
    [{ OTEL_TRACES_EXPORTER: "none" }, undefined],
  ])("exports traces to a collector, unless switched off: %j", (variables, tracing) => {
    for (const name of ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])
      expect(readEnv({ ...variables, [name]: "http://localhost:4318" }).tracing).toEqual(tracing);
    expect(readEnv(variables).tracing).toBeUndefined();
  });

  it.each<[Record<string, string>, MetricsExport | undefined]>([
    [{}, { protocol: "http/protobuf", interval: 60_000, timeout: 30_000 }],
    [
      { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_METRIC_EXPORT_INTERVAL: "10000" },
      { protocol: "http/json", interval: 10_000, timeout: 10_000 },
    ],
    [
      { OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/json", OTEL_METRIC_EXPORT_TIMEOUT: "500" },
      { protocol: "http/json", interval: 60_000, timeout: 500 },
    ],
    [{ OTEL_SDK_DISABLED: "true" }, undefined],
    [{ OTEL_METRICS_EXPORTER: "none" }, undefined],
    [{ OTEL_METRICS_EXPORTER: "prometheus" }, undefined],
  ])("exports metrics to a collector, unless switched off: %j", (variables, metricsExport) => {
    for (const name of ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"])
      expect(readEnv({ ...variables, [name]: "http://localhost:4318" }).metricsExport).toEqual(metricsExport);
    expect(readEnv(variables).metricsExport).toBeUndefined();
  });

  it.each(each(0))("accepts %s=%s", (name, value) => {
    expect(faultsOf({ ...besides[name], [name]: value })).toEqual([]);
  });

  it.each(each(1))("is refused with one line that names the variable: %s=%s", (name, value) => {
    const faults = faultsOf({ ...besides[name], [name]: value });
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^environment: ${name} \\S.*$`))]);
  });
});

describe("the log line of the configuration", () => {
  const describeEnv = (variables: Record<string, string>) => {
    const { logger, lines } = createTestLog();
    logConfiguration({ env: readEnv(variables), countries, logger });
    return lines.find(({ msg }) => msg === "configuration") ?? {};
  };

  it("has every variable's value, which of them are set, and the sites' origins", () => {
    const given = { NODE_ENV: "production", PORT: "80", UPSTREAM_LOGIN_URL_AT: "https://login.internal/at" };
    const { settings, set, sites: origins } = describeEnv({ ...given, UPSTREAM_LOGIN_URL_DE: "embedded" });
    expect(Object.keys(Object(settings))).toEqual(expect.arrayContaining(Object.keys(schema.properties)));
    const unset = { DEMO: "off", OVERVIEW: "off", DEFAULT_SITE: "DE", DATABASE_URL: null };
    expect(settings).toMatchObject({ ...given, ...unset, UPSTREAM_LOGIN_URL_DE: "embedded" });
    expect(set).toEqual([...Object.keys(given), "UPSTREAM_LOGIN_URL_DE"]);
    expect(origins).toEqual(Object.fromEntries(sites.map(({ site, origin }) => [site, origin])));
  });

  it("has no secrets", () => {
    const logged = JSON.stringify(
      describeEnv({
        DATABASE_URL: "postgres://canary:canary@db.internal/shop?sslkey=canary",
        DEMO_PASSWORD: "canary canary",
        SMTP_URL: "smtps://canary:canary@mail.internal",
        SECRET_KEY: "canary+".repeat(7).slice(0, 43),
        NEWSLETTER_WEBHOOK_URL: "https://sender.internal/canary?canary",
        PURGE_URL: "http://varnish/?canary",
        PURGE_TOKEN: "canary",
        NEWSLETTER_WEBHOOK_SECRET: `whsec_${"canary/+".repeat(4)}`,
        OTEL_EXPORTER_OTLP_HEADERS: "key=canary",
        OIDC_ISSUER: "https://login.internal",
        OIDC_CLIENT_ID: "shop",
        OIDC_CLIENT_SECRET: "canary",
        OIDC_CLIENT_SECRET_AT: "canary of Austria",
        OTEL_EXPORTER_OTLP_METRICS_HEADERS: "key=canary",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/canary",
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://metrics:4318/canary",
      }),
    );
    expect(logged).not.toContain("canary");
    for (const host of [
      "//db.internal/shop",
      "//mail.internal",
      "//sender.internal",
      "//varnish",
      "//collector:4318",
      "//metrics:4318",
    ])
      expect(logged).toContain(`${host}"`);
  });
});

it.each([
  ...["UPSTREAM_LOGIN_URL_XX", "UPSTREAM_NEWSLETTER_URL_de", "UPSTREAM_PROMOTION_URL_"],
  ...["SITE_ORIGIN_XX", "SITE_ORIGIN_de", "OIDC_ISSUER_XX"],
])("a site's variable is refused without a country: %s", (name) => {
  const fault = `environment: ${name} names no country`;
  expect(faultsOf({ [name]: "https://www.shop.example" })).toEqual([fault]);
});

describe("the identity provider of a site", () => {
  const provider = { OIDC_ISSUER: "https://login.internal", OIDC_CLIENT_ID: "shop", OIDC_CLIENT_SECRET: "s" };
  const service = "https://login-service.internal";
  const providersOf = (variables: Record<string, string>) => Object.fromEntries(readEnv(variables).identityProviders);

  it("is the common one, except where a site has values of its own, or keeps the embedded login", () => {
    const own = { OIDC_ISSUER_AT: "https://at.login.internal", OIDC_CLIENT_SECRET_FILE_CH: keyFile };
    const found = providersOf({ ...provider, ...own, UPSTREAM_LOGIN_URL_PL: "embedded" });
    expect(Object.keys(found)).toEqual(sites.map(({ site }) => site).filter((site) => site !== "PL"));
    const common = { issuer: "https://login.internal", clientId: "shop", clientSecret: "s" };
    expect(found.DE).toEqual(common);
    expect(found.AT).toEqual({ ...common, issuer: "https://at.login.internal" });
    expect(found.CH).toEqual({ ...common, clientSecret: `${key}` });
  });

  it("stands beside the real service of another site", () => {
    const { OIDC_ISSUER: OIDC_ISSUER_AT, ...client } = provider;
    const found = providersOf({ OIDC_ISSUER_AT, ...client, UPSTREAM_LOGIN_URL_DE: service });
    expect(Object.keys(found)).toEqual(["AT"]);
  });

  it.each<[Record<string, string>, string[]]>([
    [
      { OIDC_ISSUER: "https://login.internal" },
      ["OIDC_CLIENT_ID is missing beside OIDC_ISSUER", "OIDC_CLIENT_SECRET is missing beside OIDC_ISSUER"],
    ],
    [{ OIDC_CLIENT_ID: "shop", OIDC_CLIENT_SECRET: "s" }, ["OIDC_ISSUER is missing beside OIDC_CLIENT_ID"]],
    [
      { OIDC_ISSUER_AT: "https://login.internal", OIDC_CLIENT_SECRET: "s" },
      ["OIDC_CLIENT_ID_AT is missing beside OIDC_ISSUER_AT"],
    ],
    [
      { ...provider, OIDC_CLIENT_SECRET_FILE: "package.json" },
      ["OIDC_CLIENT_SECRET_FILE must not be set beside OIDC_CLIENT_SECRET"],
    ],
    [
      { ...provider, UPSTREAM_LOGIN_URL: service },
      ["OIDC_ISSUER must not be set beside UPSTREAM_LOGIN_URL: a site's customers sign in at one of them"],
    ],
    [
      { ...provider, OIDC_ISSUER_AT: "https://at.login.internal", UPSTREAM_LOGIN_URL_AT: service },
      ["OIDC_ISSUER_AT must not be set beside UPSTREAM_LOGIN_URL_AT: a site's customers sign in at one of them"],
    ],
    [
      { OIDC_STAFF_ISSUER: "https://login.internal", OIDC_STAFF_CLIENT_ID: "preview" },
      [
        "OIDC_STAFF_CLIENT_SECRET is missing beside OIDC_STAFF_ISSUER",
        "OIDC_STAFF_GROUP is missing beside OIDC_STAFF_ISSUER",
      ],
    ],
    [
      { ...staffClient, OIDC_STAFF_GROUP: "groups=staff", OIDC_STAFF_ACR: "mfa" },
      ["OIDC_STAFF_ISSUER is missing beside OIDC_STAFF_CLIENT_ID"],
    ],
    [
      { OIDC_STAFF_ACR: "mfa" },
      ["ISSUER", "CLIENT_ID", "CLIENT_SECRET", "GROUP"].map(
        (part) => `OIDC_STAFF_${part} is missing beside OIDC_STAFF_ACR`,
      ),
    ],
    [
      {
        ...staffClient,
        OIDC_STAFF_ISSUER: "https://login.internal",
        OIDC_STAFF_GROUP: "groups=staff",
        UPSTREAM_PREVIEW_URL: service,
      },
      ["OIDC_STAFF_ISSUER must not be set beside UPSTREAM_PREVIEW_URL: staff sign in at one of them"],
    ],
  ])("is refused by name: %j", (variables, faults) => {
    expect(faultsOf(variables)).toEqual(faults.map((fault) => `environment: ${fault}`));
  });
});

it("staff's provider admits people by a claim, whose value may contain an equals sign", () => {
  const { staffProvider } = readEnv({
    ...staffClient,
    OIDC_STAFF_ISSUER: "https://login.internal",
    OIDC_STAFF_GROUP: "memberOf=cn=staff,ou=shop",
    OIDC_STAFF_ACR: "mfa",
  });
  expect(staffProvider).toMatchObject({ access: { claim: "memberOf", value: "cn=staff,ou=shop", acr: "mfa" } });
});

it.each(["PREVIEW", "ABTEST"])("a site's variable is refused for a service of all sites: %s", (service) => {
  const name = `UPSTREAM_${service}_URL_AT`;
  expect(faultsOf({ [name]: "https://service.internal" })).toEqual([
    `environment: ${name} must not be set: UPSTREAM_${service}_URL is for all sites`,
  ]);
});

it.each([
  ["https://cdn.example", "https://cdn.example/assets"],
  ["https://cdn.example/assets", "https://cdn.example/assets"],
  ["https://cdn.example//", "https://cdn.example/assets"],
  ["https://cdn.example/shop/assets/", "https://cdn.example/shop/assets"],
])("ASSET_BASE_URL is the address of the folder or of its host: %s", (value, base) => {
  expect(readEnv({ ASSET_BASE_URL: value }).assetBaseUrl).toBe(base);
});
