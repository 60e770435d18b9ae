import request from "supertest";
import { describe, expect, it } from "vitest";
import schema from "../../schemas/env.schema.json" with { type: "json" };
import { createAssets, readBuild } from "../../server/assets.ts";
import { describeConfiguration } from "../../server/describe-configuration.ts";
import { readEnv, type Tracing } from "../../server/env.ts";
import { StartError } from "../../server/errors.ts";
import { assetsFolder } from "../../server/root.ts";
import { findShop } from "../../server/shop-folder.ts";
import { readCountries } from "../../server/sites/countries.ts";
import { createTestApp, drawings, sites, texts } from "../support/test-app.ts";

/** The faults of a start that must not happen; empty when it would. */
async function faultsOf(start: () => unknown): Promise<string[]> {
  try {
    await start();
    return [];
  } catch (error) {
    if (error instanceof StartError) return error.faults;
    throw error;
  }
}

/** Values of every variable that holds an upstream's origin. */
const origins = {
  right: ["https://service.internal", "http://127.0.0.1:8080"],
  wrong: ["service.internal", "https://service.internal/", "https://service.internal/api", "unix:/run/service", "off"],
};
const upstreams = {
  right: [
    ...origins.right,
    "https://service.internal/",
    "https://gateway.example/login-service",
    "http://[::1]:8080/a/b/",
  ],
  wrong: [
    ...["service.internal", "unix:/run/service", "off", "https://", "https://gateway.example:99999/login"],
    ...["https://gateway.example/a/../b", "https://gateway.example/%2e%2e/b", "https://gateway.example\\login"],
    ...["https://gateway.example/login?key=1", "https://gateway.example/login#a", "https://gateway.example/login?"],
    ...["https://shop:secret@gateway.example/login", "https://shop@gateway.example"],
  ],
};

const signed = { NEWSLETTER_WEBHOOK_SECRET: `whsec_${"A".repeat(43)}=` };
/** What has to be set beside a variable. */
const besides: Record<string, Record<string, string>> = { NEWSLETTER_WEBHOOK_URL: signed };

/** Values of each variable; any string is right for those without wrong ones. */
const values: Record<string, { right: string[]; wrong: string[] }> = {
  HOST: { right: ["0.0.0.0", "::", "shop.internal"], wrong: [] },
  PORT: { right: ["0", "80", "65535"], wrong: ["abc", "-1", "65536", "1.5", "80 81", "0.0.0.0:80"] },
  OPS_PORT: { right: ["0", "9464", "65535"], wrong: ["off", "-1", "65536", "9464.5"] },
  DATA_DIR: { right: ["./data", "/var/lib/shop", "data folder"], wrong: [] },
  KEY_ENCRYPTION_KEY: {
    right: [`${"A".repeat(43)}=`, `${"b+/".repeat(14)}c`, `${"d-_".repeat(14)}e,${"A".repeat(43)}=`],
    wrong: ["secret", "A".repeat(42), `${"A".repeat(44)}=`, `${"A".repeat(43)}=,`, "0".repeat(64)],
  },
  NEWSLETTER_WEBHOOK_URL: {
    right: ["https://sender.example/events?shop=1", "http://127.0.0.1:4000"],
    wrong: ["sender.example/events", "ftp://sender.example", "https://", "https://shop:secret@sender.example", "off"],
  },
  PURGE_URL: {
    right: ["http://varnish:80", "https://edge.example/purge?shop=1"],
    wrong: ["varnish:80", "ftp://varnish", "https://", "https://shop:secret@edge.example", "off"],
  },
  NEWSLETTER_WEBHOOK_SECRET: {
    right: [
      `whsec_${"A".repeat(32)}`,
      `whsec_${"b+/=".replace("=", "c").repeat(21)}`,
      `whsec_${"A".repeat(43)}=, whsec_${"d-_".repeat(14)}e`,
    ],
    wrong: ["secret", "A".repeat(43), `whsec_${"A".repeat(31)}`, `whsec_${"A".repeat(43)},`, `whsec_${"A".repeat(90)}`],
  },
  NEWSLETTER_WEBHOOK_SECRET_FILE: { right: ["/run/secrets/webhook"], wrong: [] },
  KEY_ENCRYPTION_KEY_FILE: { right: ["/run/secrets/key"], wrong: [] },
  DATABASE_URL: {
    right: [
      "postgres://localhost",
      "postgres://shop@db.internal/shop",
      "postgres://shop:p%40ss%2Fword@db.internal:6432/shop?sslmode=verify-full",
      "postgres://[::1]:5432/shop",
      "postgresql://app:p%40ss@cluster-rw.shop:5432/app",
      "postgresql://db.internal?sslmode=require&sslrootcert=/etc/ca.pem&application_name=shop",
    ],
    wrong: [
      "postgresql:///shop?host=/run/postgresql",
      "postgresql://one.internal,other.internal/shop",
      "postgres://one.internal:5432,other.internal:5432/shop?target_session_attrs=read-write",
      "postgres://localhost/shop?sslmode=prefer",
      "postgres://localhost/shop?channel_binding=require",
      "postgres://localhost/shop?statement_timeout=0",
      "postgres://localhost/shop/other",
      "mysql://localhost/shop",
      "localhost:5432/shop",
      "/var/lib/shop.sqlite",
      "postgres://",
      "postgres:///shop",
      "postgres://localhost:99999/shop",
      "postgres://shop:p@ss@localhost/shop",
      "postgres://shop:12/ss@localhost/shop",
      "postgres://shop:p#ss@localhost/shop",
      "postgres://shop:p?ss@localhost/shop",
    ],
  },
  SHOP_DIR: { right: ["test", process.cwd()], wrong: ["/no/such/folder", "package.json"] },
  DEFAULT_SITE: { right: ["CH_FR"], wrong: [] },
  ASSET_BASE_URL: {
    right: ["https://cdn.example", "http://localhost:8080/", "https://cdn.example/shop/assets"],
    wrong: [
      "cdn.example",
      "//cdn.example",
      "/assets",
      "ftp://cdn.example",
      "https://",
      "https:///",
      "https://cdn.example:99999",
      "https://cdn.example/?v=1",
      "https://cdn.example/#a",
      "https://cdn.example/a, b",
      "https://cdn.example; script-src *",
    ],
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    right: ["http://localhost:4318", "https://otlp.collector.example/otlp", "http://[::1]:4318/"],
    wrong: ["localhost:4318", "collector", "grpc://collector:4317", "https://shop:secret@collector.example"],
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { right: ["http://localhost:4318/v1/traces"], wrong: ["localhost:4318", "off"] },
  OTEL_EXPORTER_OTLP_HEADERS: {
    right: ["api-key=secret", "Authorization=Basic%20c2hvcDpzZWNyZXQ=", "Authorization=Bearer a.b_c, x-team=shop"],
    wrong: [
      "secret",
      "=secret",
      "api-key=",
      "api key=secret",
      "api-key=secret;x",
      "api-key=%zz",
      "a=%0a",
      "a=1,",
      "a=é",
    ],
  },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: { right: ["api-key=secret"], wrong: ["secret"] },
  OTEL_EXPORTER_OTLP_PROTOCOL: { right: ["http/protobuf", "http/json"], wrong: ["grpc", "http"] },
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: { right: ["http/protobuf", "http/json"], wrong: ["grpc"] },
  OTEL_TRACES_SAMPLER: { right: ["always_off", "parentbased_traceidratio"], wrong: ["jaeger_remote", "xray", "0.1"] },
  OTEL_TRACES_SAMPLER_ARG: { right: ["0", "0.01", "1"], wrong: ["2", "-0.1", "10%", "half"] },
  OTEL_SERVICE_NAME: { right: ["shop-fragments"], wrong: [] },
  OTEL_RESOURCE_ATTRIBUTES: {
    right: ["team=shop", "deployment.environment.name=production,k8s.pod.name=a%3Db", "empty="],
    wrong: ["production", "=production", "a=b=c", "a=%zz", "a=b,"],
  },
  OTEL_TRACES_EXPORTER: { right: ["otlp", "none"], wrong: ["jaeger", "console"] },
  OTEL_SDK_DISABLED: { right: ["true", "false"], wrong: ["yes", "1"] },
  SMTP_URL: {
    right: [
      "smtp://localhost",
      "smtp://127.0.0.1:2525",
      "smtp://[::1]:2525",
      "smtps://shop@mail.internal",
      "smtps://shop:p%40ss%2Fword@mail.internal:465",
    ],
    wrong: [
      "localhost:25",
      "mail.internal",
      "http://mail.internal",
      "smtp://",
      "smtp:///mail",
      "smtp://mail.internal:99999",
      "smtps://shop:p@ss@mail.internal",
      "smtps://shop:12/ss@mail.internal",
      "smtps://shop:p#ss@mail.internal",
      "smtps://shop:p?ss@mail.internal",
      "smtp://mail.internal?debug=true",
    ],
  },
  MAIL_FROM: {
    right: ["news@shop.example", "Shop <news@shop.example>", "<news@shop.example>", '"Shop, Ltd" <news@shop.example>'],
    wrong: [
      "shop.example",
      "news@",
      "@shop.example",
      "Shop <news>",
      "a b@shop.example",
      "news@shop.example, other@shop.example",
      "news@shop.example\r\nBcc: other@shop.example",
      "Shop\r\nBcc: x <news@shop.example>",
      "news@a@shop.example",
    ],
  },
  RENDER_CACHE: { right: ["on", "off"], wrong: ["true", "0", "ON", "on "] },
  TRUST_PROXY: {
    right: [
      "10.0.0.0/8",
      "192.0.2.7",
      "192.0.2.7/32",
      "2001:db8::/32",
      "::1",
      "::1/128",
      "10.0.0.0/8,fd00::/8",
      "10.0.0.0/8 , ::1",
    ],
    wrong: [
      "true",
      "1",
      "loopback",
      "proxy.example",
      "10.0.0.0/33",
      "10.0.0.0/-1",
      "10.0.0.0/",
      "10.0.0.0/8/8",
      "10.0.0.0/255.0.0.0",
      "10.0.0/8",
      "300.0.0.1",
      "2001:db8::/129",
      "2001:db8:::/32",
      "10.0.0.0/8,",
      "10.0.0.0/8;10.1.0.0/16",
      "10.0.0.0/8 10.1.0.0/16",
      "*",
    ],
  },
  ORIGINAL_ADDRESS_FROM: {
    right: ["10.1.0.0/16", "192.0.2.7", "::1", "10.1.0.0/16 , fd00::/8"],
    wrong: ["true", "backoffice.example", "10.0.0.0/33", "10.0.0.0/8,", "*"],
  },
  UPSTREAM_ABTEST_URL: upstreams,
  UPSTREAM_PROMOTION_URL: upstreams,
  UPSTREAM_NEWSLETTER_URL: upstreams,
  UPSTREAM_CUSTOMER_URL: upstreams,
  UPSTREAM_LOGIN_URL: upstreams,
  UPSTREAM_PREVIEW_URL: upstreams,
  DEMO_PASSWORD: { right: ["open sesame", "x".repeat(256)], wrong: ["x".repeat(7), "x".repeat(257)] },
  DEMO: { right: ["on", "off"], wrong: ["true", "1", "On"] },
  OVERVIEW: { right: ["on", "off"], wrong: ["true", "demo"] },
  HSTS: {
    right: ["off", "max-age=0", "max-age=31536000; includeSubDomains; preload"],
    wrong: ["on", "31536000", "max-age=1 year", "max-age=1; preload; includeSubDomains", "max-age=1\nX: 1"],
  },
  NODE_ENV: { right: ["production", "development", "test", "staging"], wrong: ["prod", "Production", "production "] },
  LOG_LEVEL: { right: ["trace", "debug", "info", "warn", "error", "fatal", "silent"], wrong: ["loud", "INFO", "30"] },
  SITE_ORIGIN_DE: {
    right: ["https://www.shop.example", "http://localhost:3000"],
    wrong: [
      "www.shop.example",
      "https://www.shop.example/",
      "https://www.shop.example/de",
      "https://www.shop.example?de",
      "https://www.shop.example:99999",
      "ftp://www.shop.example",
      "https://",
      "on",
    ],
  },
};
const each = (kind: "right" | "wrong") =>
  Object.entries(values).flatMap(([name, cases]) => cases[kind].map((value): [string, string] => [name, value]));

describe("the environment", () => {
  it("is looked at here in every variable that its schema knows", () => {
    expect(Object.keys(values).sort()).toEqual([...Object.keys(schema.properties), "SITE_ORIGIN_DE"].sort());
  });

  it("has a default for everything that must be set", () => {
    expect(readEnv({})).toEqual({
      host: "127.0.0.1",
      hsts: "max-age=63072000; includeSubDomains",
      overview: true,
      outbox: true,
      port: 3000,
      opsPort: 9464,
      dataDir: "./data",
      databaseUrl: undefined,
      keyEncryptionKey: undefined,
      keyEncryptionKeyFile: undefined,
      shopFolder: findShop(),
      sites: sites.map(({ site }) => site),
      defaultSite: "DE",
      assetBaseUrl: undefined,
      smtpUrl: undefined,
      mailFrom: "newsletter@example.com",
      renderCache: true,
      production: false,
      trustProxy: [],
      originalAddressFrom: [],
      upstreams: {
        abtest: undefined,
        promotion: undefined,
        newsletter: undefined,
        customer: undefined,
        login: undefined,
      },
      demo: true,
      demoPassword: undefined,
      logLevel: "info",
      siteOrigins: new Map(),
      set: new Set(),
      misspelled: [],
    });
  });

  it.each(["", " ", "\t"])("takes a blank variable for one that isn't set: %j", (blank) => {
    const variables = Object.fromEntries(Object.keys(values).map((name) => [name, blank]));
    expect(readEnv(variables)).toEqual(readEnv({}));
  });

  it("leaves variables alone that aren't its own", () => {
    expect(readEnv({ PATH: "/bin", port: "abc", HOSTNAME: "loud", npm_config_x: "1" })).toEqual(readEnv({}));
  });

  it.each([
    ["SMTP_URL", "smtp://shop:secret@mail.internal:99999"],
    ["DATABASE_URL", "postgres://shop:secret@db.internal:99999/shop"],
    ["KEY_ENCRYPTION_KEY", "secret"],
    ["NEWSLETTER_WEBHOOK_SECRET", "whsec_secret"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "secret"],
  ])("never says what a wrong %s holds", async (name, value) => {
    expect(String(await faultsOf(() => readEnv({ [name]: value })))).not.toContain("secret");
  });

  it("stops the start when the key-encryption key is given twice", async () => {
    const twice = { KEY_ENCRYPTION_KEY: "A".repeat(43), KEY_ENCRYPTION_KEY_FILE: "/run/secrets/key" };
    expect(await faultsOf(() => readEnv(twice))).toEqual([
      "environment: KEY_ENCRYPTION_KEY_FILE must not be set beside KEY_ENCRYPTION_KEY",
    ]);
  });

  it("stops the start when the newsletter's events would be signed with no secret, or with two", async () => {
    const url = "https://sender.example/events";
    expect(await faultsOf(() => readEnv({ NEWSLETTER_WEBHOOK_URL: url }))).toEqual([
      "environment: NEWSLETTER_WEBHOOK_SECRET is missing beside NEWSLETTER_WEBHOOK_URL",
    ]);
    const twice = { ...signed, NEWSLETTER_WEBHOOK_SECRET_FILE: "/run/secrets/webhook" };
    expect(await faultsOf(() => readEnv({ NEWSLETTER_WEBHOOK_URL: url, ...twice }))).toEqual([
      "environment: NEWSLETTER_WEBHOOK_SECRET_FILE must not be set beside NEWSLETTER_WEBHOOK_SECRET",
    ]);
  });

  it.each<[Record<string, string>, Omit<Tracing, "collector"> | undefined]>([
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
  ])("sends traces where there is a collector, unless they are switched off: %j", (variables, tracing) => {
    const collector = "http://localhost:4318";
    for (const name of ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"])
      expect(readEnv({ ...variables, [name]: collector }).tracing).toEqual(tracing && { collector, ...tracing });
    expect(readEnv(variables).tracing).toBeUndefined();
  });

  it("isn't changed by reading", () => {
    const variables = Object.freeze({ PORT: "80", OTHER: "1" });
    readEnv(variables);
    expect(variables).toEqual({ PORT: "80", OTHER: "1" });
  });

  it.each(each("right"))("accepts %s=%s", async (name, value) => {
    expect(await faultsOf(() => readEnv({ ...besides[name], [name]: value }))).toEqual([]);
  });

  it.each(each("wrong"))("stops the start with one line that names the variable: %s=%s", async (name, value) => {
    const faults = await faultsOf(() => readEnv({ ...besides[name], [name]: value }));
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^environment: ${name} \\S.*$`))]);
  });

  it("stops the start and names every wrong variable", async () => {
    const wrong = Object.entries(values).flatMap(([name, cases]) =>
      cases.wrong.slice(0, 1).map((value) => [name, value]),
    );
    const faults = await faultsOf(() => readEnv(Object.fromEntries(wrong)));
    expect(faults.map((fault) => /^environment: (\S+) .+$/.exec(fault)?.[1]).sort()).toEqual(
      wrong.map(([name]) => name).sort(),
    );
  });

  it("reads what is set", () => {
    const env = readEnv({
      HOST: "0.0.0.0",
      PORT: "8080",
      OPS_PORT: "0",
      DATA_DIR: "/var/lib/shop",
      DATABASE_URL: "postgres://localhost/shop",
      DEFAULT_SITE: "AT",
      SMTP_URL: "smtps://shop:secret@mail.internal",
      MAIL_FROM: "news@shop.example",
      RENDER_CACHE: "off",
      LOG_LEVEL: "debug",
    });
    expect(env).toMatchObject({
      host: "0.0.0.0",
      port: 8080,
      opsPort: 0,
      dataDir: "/var/lib/shop",
      databaseUrl: "postgres://localhost/shop",
      defaultSite: "AT",
      smtpUrl: "smtps://shop:secret@mail.internal",
      mailFrom: "news@shop.example",
      renderCache: false,
      logLevel: "debug",
    });
  });
});

describe("the line that tells the configuration", () => {
  const right = Object.entries(values).map(([name, cases]): [string, string] => [name, cases.right.at(-1) ?? ""]);

  it.each(right)("says that %s has settled something, when it has: %s", (name, value) => {
    const { from } = describeConfiguration(readEnv({ ...besides[name], [name]: value }), sites);
    expect(JSON.stringify(from)).toContain(`"${name}"`);
  });

  it("tells no secret", () => {
    const variables = {
      ...{ DATABASE_URL: "postgres://canary:canary@db.internal/shop?sslkey=canary", DEMO_PASSWORD: "canary canary" },
      ...{ SMTP_URL: "smtps://canary:canary@mail.internal", KEY_ENCRYPTION_KEY: "canary+".repeat(7).slice(0, 43) },
      ...{ NEWSLETTER_WEBHOOK_URL: "https://sender.internal/canary?canary", PURGE_URL: "http://varnish/?canary" },
      NEWSLETTER_WEBHOOK_SECRET: `whsec_${"canary/+".repeat(4)}`,
    };
    const told = JSON.stringify(describeConfiguration(readEnv(variables), sites));
    expect(told).not.toContain("canary");
    for (const host of ["//db.internal/shop", "//mail.internal", "//sender.internal", "//varnish"])
      expect(told).toContain(`${host}"`);
  });
});

describe("DEMO", () => {
  it.each([
    [{}, true],
    [{ NODE_ENV: "development" }, true],
    [{ NODE_ENV: "test" }, true],
    [{ NODE_ENV: "" }, true],
    [{ NODE_ENV: "production" }, false],
    [{ NODE_ENV: "production", DEMO: "" }, false],
    [{ NODE_ENV: "production", DEMO: "on" }, true],
    [{ NODE_ENV: "development", DEMO: "off" }, false],
    [{ DEMO: "off" }, false],
  ])("follows NODE_ENV unless it is set: %o is %s", (variables, demo) => {
    expect(readEnv(variables).demo).toBe(demo);
  });
});

describe("TRUST_PROXY", () => {
  it("is split into its entries", () => {
    expect(readEnv({ TRUST_PROXY: "10.0.0.0/8, 2001:db8::/32 ,::1" }).trustProxy).toEqual([
      "10.0.0.0/8",
      "2001:db8::/32",
      "::1",
    ]);
  });

  it.each([...(values.TRUST_PROXY?.right ?? []), "0.0.0.0/0", "::/0", "::ffff:10.0.0.0/104", "fe80::1%eth0"])(
    "is something the app can use once it was accepted: %s",
    async (value) => {
      const faults = await faultsOf(() => createTestApp({ trustProxy: readEnv({ TRUST_PROXY: value }).trustProxy }));
      for (const fault of faults) expect(fault).toMatch(/^environment: TRUST_PROXY /);
    },
  );

  it("decides whose X-Forwarded-Host is believed", async () => {
    const siteSeen = async (trustProxy: string | undefined) => {
      const { app } = await createTestApp({ trustProxy: readEnv({ TRUST_PROXY: trustProxy }).trustProxy });
      const response = await request(app)
        .get("/login")
        .set({ Host: "de.localhost", "X-Forwarded-Host": "at.localhost" });
      return /data-site="(\w+)"/.exec(response.text)?.[1];
    };
    expect(await siteSeen("127.0.0.0/8, ::1")).toBe("AT");
    expect(await siteSeen("10.0.0.0/8")).toBe("DE");
    expect(await siteSeen(undefined)).toBe("DE");
  });
});

describe("ASSET_BASE_URL", () => {
  it.each([
    ["https://cdn.example", "https://cdn.example/assets"],
    ["https://cdn.example/", "https://cdn.example/assets"],
    ["https://cdn.example/assets", "https://cdn.example/assets"],
    ["https://cdn.example/assets/", "https://cdn.example/assets"],
    ["https://cdn.example//", "https://cdn.example/assets"],
    ["https://cdn.example/shop", "https://cdn.example/shop/assets"],
    ["https://cdn.example/shop/assets/", "https://cdn.example/shop/assets"],
    ["http://localhost:8080", "http://localhost:8080/assets"],
  ])("is the address of the folder or of its host: %s", (value, base) => {
    expect(readEnv({ ASSET_BASE_URL: value }).assetBaseUrl).toBe(base);
  });

  it("is where the fragments take their assets from", async () => {
    const { assetBaseUrl } = readEnv({ ASSET_BASE_URL: "https://cdn.example/" });
    const { app } = await createTestApp({ assets: createAssets(await readBuild(assetsFolder), assetBaseUrl) });
    const { text, headers } = await request(app).get("/fragments/head?site=DE");
    expect(text).toMatch(/href="https:\/\/cdn\.example\/assets\/footer-\w+\.css"/);
    expect(headers["content-security-policy"]).toMatch(/style-src 'self' https:\/\/cdn\.example[;,]/);
  });
});

describe("SITE_ORIGIN_*", () => {
  const read = async (variables: NodeJS.ProcessEnv) => {
    const { siteOrigins: origins } = readEnv(variables);
    return readCountries({ folder: "countries", drawings, texts, origins, localPort: 3000 });
  };

  it.each(sites.map(({ site }) => site))("replaces the origin of %s alone", async (code) => {
    const { countries: registry } = await read({ [`SITE_ORIGIN_${code}`]: "https://www.shop.example" });
    for (const { site, origin, localHost } of registry.sites)
      expect(origin).toBe(site === code ? "https://www.shop.example" : `http://${localHost}:3000`);
    expect(registry.forHost("www.shop.example")?.site).toBe(code);
  });

  it("names no country: that stops the start, every one of them", async () => {
    const origin = "https://www.shop.example";
    expect(
      await faultsOf(() => read({ SITE_ORIGIN_XX: origin, SITE_ORIGIN_de: origin, SITE_ORIGIN_DE: origin })),
    ).toEqual(["environment: SITE_ORIGIN_XX names no country", "environment: SITE_ORIGIN_de names no country"]);
  });

  it("is the same for two countries: that stops the start", async () => {
    const { faults } = await read({
      SITE_ORIGIN_DE: "https://www.shop.example",
      SITE_ORIGIN_AT: "https://www.shop.example",
    });
    expect(faults).toEqual([expect.stringMatching(/^\S.*www\.shop\.example.*\bAT\b.*\bDE\b/)]);
  });
});

describe("DEFAULT_SITE", () => {
  it("names no country: that stops the start, beside every other fault", async () => {
    expect(await faultsOf(() => readEnv({ DEFAULT_SITE: "de", LOG_LEVEL: "loud" }))).toEqual([
      expect.stringMatching(/^environment: LOG_LEVEL /),
      expect.stringMatching(/^environment: DEFAULT_SITE must be one of .*\bDE\b/),
    ]);
  });
});
