import { expect, it } from "vitest";
import { describeConfiguration } from "../../server/describe-configuration.ts";
import { readEnv } from "../../server/env.ts";
import { realServices } from "../../server/services/real-services.ts";
import { sites } from "../support/test-app.ts";

const [site = { site: "", origin: "" }] = sites;
const describe = (variables: Record<string, string>) => describeConfiguration(readEnv(variables), [site]);
const upstreams = Object.fromEntries(realServices.map(({ variable }) => [variable, "https://real.internal"]));

it("the configuration tells what the defaults are, and that they are defaults", () => {
  const { settings, from } = describe({});
  expect(settings).toMatchObject({
    ...{ production: "off", demo: "on", store: "SQLite in ./data", keyEncryptionKey: "file in ./data" },
    ...{ mail: "files in ./data/outbox", trustProxy: "none", renderCache: "on", shop: "built in" },
    services: { newsletter: "embedded", customer: "embedded", login: "embedded" },
    sites: { [site.site]: site.origin },
  });
  expect(from).toEqual({ services: {}, sites: {} });
});

it("the configuration tells which variable or country has settled what isn't a default", () => {
  const { settings, from } = describe({ NODE_ENV: "production", UPSTREAM_LOGIN_URL: "https://login.internal" });
  expect(settings).toMatchObject({
    demo: "off",
    demoPassword: "none",
    services: { login: "https://login.internal", customer: "embedded" },
  });
  expect(from).toEqual({
    ...{ production: "NODE_ENV", demo: "NODE_ENV", overview: "NODE_ENV" },
    services: { login: "UPSTREAM_LOGIN_URL" },
    sites: { [site.site]: expect.stringMatching(/^countries\/[a-z-]+$/) },
  });
  const variable = `SITE_ORIGIN_${site.site}`;
  expect(describe({ [variable]: "https://www.shop.internal", DEMO: "off" }).from).toMatchObject({
    demo: "DEMO",
    sites: { [site.site]: variable },
  });
});

it("the configuration tells of no store, and of no mails, where real services have them", () => {
  expect(describe(upstreams).settings).toMatchObject({ store: "none", mail: "sent by the real newsletter service" });
  const purging = { ...upstreams, PURGE_URL: "http://varnish", DATABASE_URL: "postgres://db/shop" };
  expect(describe(purging)).toMatchObject({
    settings: { store: "postgres://db/shop", purge: "http://varnish" },
    from: { store: "DATABASE_URL", purge: "PURGE_URL" },
  });
});
