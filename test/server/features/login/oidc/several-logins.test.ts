import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import request from "supertest";
import { afterAll, describe, expect, it } from "vitest";
import { addAccount } from "../../../../../server/accounts/accounts.ts";
import { readEnv } from "../../../../../server/config/env.ts";
import { keep } from "../../../../support/cookie-jar.ts";
import { findOrInstall } from "../../../../support/debian-packages.ts";
import { findFreePort } from "../../../../support/find-free-port.ts";
import { startIdentityProvider } from "../../../../support/identity-provider.ts";
import { newAddress } from "../../../../support/new-address.ts";
import {
  callbacks,
  client,
  createShopVisitor,
  renewPath,
  type ShopVisitor,
} from "../../../../support/provider-login-test.ts";
import { createProviderVisitor } from "../../../../support/provider-visitor.ts";
import { createTestApp, siteOf, sites } from "../../../../support/test-app.ts";

const email = "ada@shop.example";
const password = "correct horse battery staple";
/** The customer of the example service. */
const anna = { email: "anna@example.com", password: "anna's coffee" };
const customerData = "/service/newsletter/api/private/customers/base-data";

const people = [{ email, givenName: "Ada" }];
const clients = [{ ...client, callbacks }];
const [idp, another] = [
  await startIdentityProvider({ clients, people }),
  await startIdentityProvider({ clients, people }),
];
const example = await startExample();
afterAll(async () => {
  await Promise.all([idp.stop(), another.stop(), example.stop()]);
});

/** The example of a real login, which is not written in JavaScript. */
async function startExample() {
  const folder = await mkdtemp(join(tmpdir(), "login-"));
  const port = await findFreePort();
  // A minimal Python lacks this module.
  const python = findOrInstall("python3", "-cimport sqlite3", "python3");
  const child = spawn(python, [resolve("examples/services/login.py")], {
    cwd: folder,
    env: { PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => Promise.reject(new Error("the example has ended"))),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill();
      await once(child, "exit");
      await rm(folder, { recursive: true });
    },
  };
}

/** The service: two sites at providers of their own, one at a real login, six with the embedded one. */
async function openShop() {
  const { identityProviders, upstreams, siteUpstreams } = readEnv({
    OIDC_CLIENT_SECRET: client.secret,
    OIDC_CLIENT_ID: client.id,
    OIDC_ISSUER_AT: idp.issuer,
    OIDC_ISSUER_CH: another.issuer,
    UPSTREAM_LOGIN_URL_PL: example.url,
    UPSTREAM_CUSTOMER_URL_PL: example.url,
  });
  const trustProxy = ["127.0.0.1", "::1", "::ffff:127.0.0.1"];
  const shop = await createTestApp({ identityProviders, upstreams, siteUpstreams, trustProxy });
  await addAccount(shop.deps.store.db, "customer", { email, password });
  return shop;
}

const { app } = await openShop();
const atProvider: Record<string, typeof idp> = { AT: idp, CH: another };

/** Signs in as a browser of a site does. */
async function signIn(code: string): Promise<ShopVisitor> {
  const visitor = createShopVisitor(app, siteOf(code));
  if (atProvider[code]) {
    const { headers } = await visitor.open("/login");
    expect(new URL(headers.location ?? "").origin).toBe(atProvider[code].issuer);
    await visitor.open(await createProviderVisitor().signIn(headers.location ?? "", email));
    return visitor;
  }
  const { status, headers } = await request(app)
    .post("/service/login/api/v1/login")
    .set({ Host: siteOf(code).localHost, "X-Forwarded-For": newAddress() })
    .set({ "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" })
    .send(code === "PL" ? anna : { email, password });
  expect(status).toBe(200);
  visitor.jar = keep({}, [headers["set-cookie"] ?? []].flat());
  return visitor;
}

describe("sites with different logins in one service", () => {
  it.each(sites.map(({ site }) => site))(
    "sign customers in, renew their sessions and sign them out: %s",
    async (code) => {
      const visitor = await signIn(code);
      const { body } = await visitor.open(customerData);
      expect(body.email).toBe(code === "PL" ? anna.email : email);
      expect((await visitor.call(renewPath)).status).toBe(201);
      expect((await visitor.open(customerData)).status).toBe(200);
      const before = visitor.jar;
      expect((await visitor.call("/service/login/api/v1/logout")).status).toBe(204);
      visitor.jar = before;
      expect((await visitor.open(customerData)).status).toBe(401);
    },
  );

  it("accept no session of another login, and tell it nothing", async () => {
    const codes = ["AT", "CH", "PL", "DE"];
    for (const code of codes) {
      const { jar } = await signIn(code);
      for (const other of codes.filter((one) => one !== code)) {
        const asked = [idp, another].map(({ requests }) => requests.length);
        const visitor = createShopVisitor(app, siteOf(other));
        visitor.jar = jar;
        expect((await visitor.open(customerData)).status, `${code} at ${other}`).toBe(401);
        expect((await visitor.open("/unknown")).text).not.toMatch(/Ada|anna@|ada@/);
        visitor.jar = jar;
        expect((await visitor.call(renewPath)).status, `${code} at ${other}`).toBe(401);
        expect([idp, another].map(({ requests }) => requests.length)).toEqual(asked);
      }
      const owner = createShopVisitor(app, siteOf(code));
      owner.jar = jar;
      expect((await owner.open(customerData)).status, code).toBe(200);
    }
  });
});
