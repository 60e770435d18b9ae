import type { Express } from "express";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { isSignedIn } from "../../../../client/rules/login-token.ts";
import { minute } from "../../../../client/rules/time.ts";
import { addAccount } from "../../../../server/accounts/accounts.ts";
import { startSession } from "../../../../server/accounts/sessions.ts";
import { createSignedTokens } from "../../../../server/accounts/signed-tokens.ts";
import { writeToken } from "../../../client/features/session/write-token.ts";
import { type Jar, keep } from "../../../support/cookie-jar.ts";
import { email, password } from "../../../support/login-test.ts";
import { json, startStub } from "../../../support/start-stub.ts";
import { createTestApp } from "../../../support/test-app.ts";
import { testKeys } from "../../../support/test-store.ts";

const { app, deps } = await createTestApp({ demo: true });
await addAccount(deps.store.db, "customer", { email, password });
const { db } = deps.store;
const { id: accountId } = await db
  .selectFrom("account")
  .select("id")
  .where("email", "=", email)
  .executeTakeFirstOrThrow();
const tokens = createSignedTokens(testKeys, "storefront");

const states = ["missing", "valid", "expired", "forged"] as const;
type State = (typeof states)[number];
const all = states.flatMap((clock) =>
  states.flatMap((login) => states.map((longterm) => [clock, login, longterm] as const)),
);

/** The cookies of a browser in which a customer stays signed in, each in a state. */
async function jarOf([clock, login, longterm]: (typeof all)[number]): Promise<Jar> {
  const { id: sid } = await startSession(db, accountId, true);
  const credential = async (type: string, state: State) => {
    const at = Date.now() + (state === "expired" ? -minute : minute);
    const token = await tokens.issue(type, { sub: accountId, sid, gen: 0 }, at);
    return state === "forged" ? `${token.slice(0, token.lastIndexOf("."))}.forged` : token;
  };
  const clocks = {
    valid: { ren: 600, exp: 1800, lid: sid },
    expired: { ren: -60, exp: -1 },
    forged: { ren: 0, exp: 9e9 },
  };
  return {
    ...(clock !== "missing" && { LoginToken: writeToken(clocks[clock]) }),
    ...(login !== "missing" && { login: await credential("login+jwt", login) }),
    ...(longterm !== "missing" && { LongtermToken: await credential("longterm+jwt", longterm) }),
  };
}

/**
 * Opens the login page as a browser does.
 * @returns where it ends, after how many redirects, and with which cookies
 */
async function open(app: Express, jar: Jar) {
  let path = "/login";
  for (let redirects = 0; ; redirects += 1) {
    const Cookie = Object.entries(jar)
      .map((pair) => pair.join("="))
      .join("; ");
    const answer = await request(app).get(path).set({ Host: "de.localhost", Cookie }).redirects(0);
    jar = keep(jar, [answer.headers["set-cookie"] ?? []].flat());
    if (answer.status !== 303) return { path, redirects, jar, status: answer.status, html: answer.text };
    path = answer.headers.location ?? "";
  }
}

/** A real service that knows the long-term token of `jarOf`, and answers a renewal in its way. */
async function openReal(cookies: readonly string[], status = 201) {
  const stub = await startStub((incoming, response) => {
    if (!/LongtermToken=[^;]+\.(?!forged)[\w-]+(;|$)/.test(incoming.headers.cookie ?? ""))
      return json("{}", 401)(incoming, response);
    response.setHeader("Set-Cookie", [...cookies]);
    json("{}", status)(incoming, response);
  });
  return (await createTestApp({ demo: true, upstreams: { login: stub.origin } })).app;
}

const renewed = [`LoginToken=${writeToken({ ren: 600, exp: 1800 })}; Path=/`, "login=new; Path=/; HttpOnly"];

describe.each<[string, () => Promise<Express>]>([
  ["the embedded service", async () => app],
  ["a real service", () => openReal(renewed)],
  ["a real service that renews the clock alone", () => openReal(renewed.slice(0, 1))],
  ["a real service that fails", () => openReal([], 500)],
])("with %s", (_name, openApp) => {
  it("the login page leads to the shop as a customer, or shows the form and stays", async () => {
    const opened = await openApp();
    for (const state of all) {
      const { path, redirects, status, jar, html } = await open(opened, await jarOf(state));
      const isCustomer = /<a [^>]*href="\/account"/.test(html);
      // The form's script redirects visitors whose clock hasn't expired.
      const found = { status, stays: path === "/login" ? !isSignedIn(jar.LoginToken) : isCustomer && path === "/" };
      expect({ state, ...found, isQuick: redirects <= 2 }).toEqual({ state, status: 200, stays: true, isQuick: true });
    }
  });
});

it.each([
  ["the embedded service", async () => app],
  ["a real service", () => openReal(renewed)],
])(
  "a browser that lost the credential alone is signed in again by its long-term token, with %s",
  async (_name, openApp) => {
    const { path, jar } = await open(await openApp(), await jarOf(["valid", "missing", "valid"]));
    expect([path, Object.keys(jar)]).toEqual(["/", expect.arrayContaining(["LoginToken", "login", "LongtermToken"])]);
  },
);

it.each([
  ["missing", "valid"],
  ["valid", "missing"],
] as const)("a prefetched login page changes no session (login %s, long-term %s)", async (login, longterm) => {
  const jar = await jarOf(["valid", login, longterm]);
  const Cookie = Object.entries({ ...jar, LoginRedirect: "/account" }).map((pair) => pair.join("="));
  const page = request(app).get("/login").set({ Host: "de.localhost", Cookie, "Sec-Purpose": "prefetch;prerender" });
  const { status, headers } = await page.redirects(0);
  expect([status, headers["set-cookie"]]).toEqual([403, undefined]);
  expect((await open(app, jar)).path).toBe("/");
});

it("a real service that fails costs the long-term token nothing", async () => {
  const { path, jar } = await open(await openReal([], 500), await jarOf(["valid", "missing", "valid"]));
  expect([path, Object.keys(jar)]).toEqual(["/login", ["LongtermToken"]]);
});
