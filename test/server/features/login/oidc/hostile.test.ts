import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text as readAll } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMisbehavingProvider } from "../../../../support/misbehaving-provider.ts";
import {
  client,
  createProviderApp,
  createShopVisitor,
  type ShopVisitor,
} from "../../../../support/provider-login-test.ts";
import { siteOf } from "../../../../support/test-app.ts";

const site = siteOf("DE");
const sessionCookies = ["LoginToken", "LongtermToken", "login"];
/** How an edge says that its visitor uses https. */
const overTls = { "X-Forwarded-Proto": "https" };

async function openShop() {
  const provider = await startMisbehavingProvider(client);
  return { provider, ...(await createProviderApp(provider.issuer)) };
}

/** Begins a sign-in, and lets the provider lead back. */
async function begin(visitor: ShopVisitor, headers = {}): Promise<URL> {
  const begun = await visitor.open("/login", headers);
  const answer = await fetch(begun.headers.location ?? "", { redirect: "manual" });
  return new URL(answer.headers.get("location") ?? "");
}

describe("an attacker of sign-ins at a provider", () => {
  it("can't sign others in by a cookie of a sister host", async () => {
    const { app } = await openShop();
    const [attacker, victim] = [createShopVisitor(app), createShopVisitor(app)];
    const answer = await begin(attacker, overTls);
    const [[name, value] = []] = Object.entries(attacker.jar);
    expect(name).toBe("__Host-CustomerSignIn");
    // Browsers take a cookie with the prefix from nobody else, so it can only be planted without it.
    victim.jar = { CustomerSignIn: value ?? "" };
    expect((await victim.open(answer.href, overTls)).status).toBe(400);
    expect(Object.keys(victim.jar).filter((one) => sessionCookies.includes(one))).toEqual([]);
    const { status, headers } = await attacker.open(answer.href, overTls);
    expect([status, headers.location]).toEqual([303, "/"]);
    for (const line of headers["set-cookie"] ?? []) expect(line).not.toMatch(/Domain=/i);
  });

  it("learns no code or state by the Referer of the page that says that a sign-in has failed", async () => {
    const { app, provider } = await openShop();
    const visitor = createShopVisitor(app);
    const answer = await begin(visitor);
    provider.answers.set("/token", (_request, response) => void response.writeHead(503).end());
    const { status, headers } = await visitor.open(answer.href);
    expect([status, headers["referrer-policy"]]).toEqual([503, "strict-origin"]);
  });

  it("can't make the log say that the provider is down", async () => {
    const { app, logs, provider } = await openShop();
    for (const word of ["server_error", "server_error", "invalid_scope"]) {
      const visitor = createShopVisitor(app);
      const answer = await begin(visitor);
      answer.searchParams.delete("code");
      answer.searchParams.set("error", word);
      answer.searchParams.set("error_description", "<b>canary</b>");
      const { status, text } = await visitor.open(answer.href);
      expect([status, text.includes("canary")]).toEqual([503, false]);
    }
    const visitor = createShopVisitor(app);
    expect((await visitor.open((await begin(visitor)).href)).status).toBe(303);
    const lines = logs.filter(({ upstream }) => upstream === "oidc");
    expect(lines.map(({ msg, reason, failures }) => ({ msg, reason, failures }))).toEqual([
      { msg: "sign-ins come back with errors", reason: "server_error" },
      { msg: "sign-ins come back without errors", failures: 3 },
    ]);
    expect(provider.requests.filter((one) => one === "POST /token")).toHaveLength(1);
  });

  it.each([
    ["http://other.example/login?redirect=//other.example", 303],
    ["http://a:b/login", 404],
    ["//other.example/login", 404],
    ["http://a:b/login/callback?code=a&state=b", 404],
    ["http://other.example/login/callback?code=a&state=b", 400],
    ["/login/callback?code=%00%ff&state=%ed%a0%80", 400],
    ["/login/callback?state[__proto__]=a&code[]=b", 400],
  ])("leads nowhere else by the target of a request: %s", async (target, expected) => {
    const { listener, provider } = await openShop();
    const server = createServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${site.localHost}\r\nConnection: close\r\n\r\n`);
    const [head = ""] = (await readAll(socket)).split("\r\n\r\n");
    const [, status] = head.split(" ", 2);
    expect(Number(status)).toBe(expected);
    expect(head).not.toContain("LoginRedirect=");
    const [, location] = /^location: (.*)$/im.exec(head) ?? [];
    if (location === undefined) return;
    const { origin, searchParams } = new URL(location);
    expect([origin, searchParams.get("redirect_uri")]).toEqual([provider.issuer, `${site.origin}/login/callback`]);
  });
});
