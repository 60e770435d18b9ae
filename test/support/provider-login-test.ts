import type { Express } from "express";
import request from "supertest";
import type { Site } from "../../server/sites/countries.ts";
import { type Jar, keep } from "./cookie-jar.ts";
import { newAddress } from "./new-address.ts";
import { createTestApp, siteOf, sites, type TestChanges } from "./test-app.ts";

/** The client that the sites are at a provider. */
export const client = { id: "shop", secret: "the client's secret" };
export const callbacks = sites.map(({ origin }) => `${origin}/login/callback`);

/** The service, whose customers sign in at a provider: on all sites, or on one. */
export function createProviderApp(issuer: string, changes: TestChanges = {}, codes = sites.map(({ site }) => site)) {
  const settings = { issuer, clientId: client.id, clientSecret: client.secret };
  const identityProviders = new Map(codes.map((code) => [code, settings]));
  // Each visitor has a network of its own, unless a test says otherwise.
  return createTestApp({ identityProviders, trustProxy: ["127.0.0.1", "::1", "::ffff:127.0.0.1"], ...changes });
}

export type ShopVisitor = ReturnType<typeof createShopVisitor>;

/** A browser in the shop, which keeps its cookies. The shop is an app, or the origin of a service. */
export function createShopVisitor(app: Express | string, site: Site = siteOf("DE"), address = newAddress()) {
  let jar: Jar = {};
  const headers = () => ({
    Host: site.localHost,
    "X-Forwarded-For": address,
    Cookie: Object.entries(jar)
      .map((pair) => pair.join("="))
      .join("; "),
  });
  return {
    get jar() {
      return jar;
    },
    set jar(cookies: Jar) {
      jar = cookies;
    },

    /** Opens a page. Doesn't follow redirects. */
    async open(path: string, more: Record<string, string> = {}) {
      return settle(
        await request(app)
          .get(pathOf(path))
          .set({ ...headers(), Accept: "text/html", ...more })
          .redirects(0),
      );
    },

    /** Makes a call as a script of the page does. */
    async call(path: string) {
      const call = request(app).post(path).send({});
      return settle(await call.set({ ...headers(), "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" }));
    },

    /** Sends a form without fields. */
    async post(path: string) {
      return settle(
        await request(app)
          .post(path)
          .set({ ...headers(), "Sec-Fetch-Site": "same-origin" })
          .redirects(0),
      );
    },
  };

  function settle(response: request.Response): request.Response {
    jar = keep(jar, [response.headers["set-cookie"] ?? []].flat());
    return response;
  }

  function pathOf(address: string): string {
    const { pathname, search } = new URL(address, site.origin);
    return pathname + search;
  }
}

/** The call that renews a session. */
export const renewPath = "/service/login/api/v1/logintoken/renew";
