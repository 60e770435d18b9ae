import type { RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { createProvider } from "../../../server/oidc/provider.ts";
import { createMetrics } from "../../../server/platform/metrics.ts";
import { keep } from "../../support/cookie-jar.ts";
import { callerWith, pass, restoreTime, stopTime } from "../../support/login-test.ts";
import { startMisbehavingProvider, wrongIdTokens } from "../../support/misbehaving-provider.ts";
import { json } from "../../support/start-stub.ts";
import { testLogger } from "../../support/test-app.ts";
import { createTestLog } from "../../support/test-log.ts";
import { openTestStore, testKeys } from "../../support/test-store.ts";

const client = { id: "shop", secret: "the client's secret" };
const redirectUri = "http://de.localhost:3000/login/callback";
const { db } = await openTestStore(testLogger);

const page: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Type": "text/html" }).end("<html>");
};

/** A provider that does as it is told, and its client. */
async function openProvider({ production = false } = {}) {
  const idp = await startMisbehavingProvider(client);
  const { logger, lines } = createTestLog();
  const settings = { issuer: idp.issuer, clientId: client.id, clientSecret: client.secret };
  const context = { env: { production }, keys: testKeys, logger, metrics: createMetrics() };
  const provider = createProvider(settings, { kind: "customer", claims: ["email"], offline: true }, context, db);
  return { idp, provider, lines };
}

type Bench = Awaited<ReturnType<typeof openProvider>>;

/** Begins a sign-in, and lets the provider lead back. */
async function begin({ provider }: Bench, jar: Record<string, string> = {}) {
  const { url, cookie } = await provider.begin(callerWith(jar), { redirectUri, parameters: { ui_locales: "de-DE" } });
  const response = await fetch(url, { redirect: "manual" });
  return { url: new URL(url), jar: keep(jar, [cookie]), answer: new URL(response.headers.get("location") ?? "") };
}

async function signIn(bench: Bench) {
  const { jar, answer } = await begin(bench);
  return (await bench.provider.complete(callerWith(jar), answer)).result;
}

describe("a sign-in at a provider", () => {
  it("ends with what the provider says about the person", async () => {
    const bench = await openProvider();
    expect(await signIn(bench)).toMatchObject({
      status: "signedIn",
      claims: { sub: "ada", email: "ada@shop.example", email_verified: true },
      idToken: expect.stringContaining("."),
      refreshToken: expect.stringContaining("refresh"),
    });
    expect(bench.idp.requests).toEqual([
      "GET /.well-known/openid-configuration",
      "GET /auth",
      "POST /token",
      "GET /jwks",
    ]);
    await signIn(bench);
    expect(bench.idp.requests.slice(4)).toEqual(["GET /auth", "POST /token"]);
  });

  it("has PKCE, a state and a nonce, new ones each time, and offline access where the provider has it", async () => {
    const bench = await openProvider();
    const [one, other] = [(await begin(bench)).url.searchParams, (await begin(bench)).url.searchParams];
    expect(Object.fromEntries(one)).toMatchObject({
      client_id: "shop",
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid email profile offline_access",
      code_challenge_method: "S256",
      ui_locales: "de-DE",
    });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(one.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one.get(name)).not.toBe(other.get(name));
    }
  });

  it("asks by userinfo for what the ID token lacks", async () => {
    const bench = await openProvider();
    bench.idp.idToken = { claims: { email: undefined } };
    expect(await signIn(bench)).toMatchObject({ claims: { email: "ada@shop.example" } });
    bench.idp.person = { sub: "eve", email: "eve@shop.example" };
    bench.idp.idToken = { claims: { sub: "ada", email: undefined } };
    expect(await signIn(bench)).toMatchObject({ status: "invalid" });
  });

  it.each(Object.keys(wrongIdTokens))("is refused for an ID token with %s", async (name) => {
    const bench = await openProvider();
    bench.idp.idToken = wrongIdTokens[name]?.() ?? {};
    expect(await signIn(bench)).toEqual({
      status: /expired|future|isn't valid yet/.test(name) ? "wrongClock" : "invalid",
      reason: expect.any(String),
    });
  });

  it("takes a new key of the provider, whose keys it asks for once a minute at most", async () => {
    const bench = await openProvider();
    stopTime();
    await signIn(bench);
    await bench.idp.rotateKey();
    const keyRequests = () => bench.idp.requests.filter((request) => request === "GET /jwks").length;
    for (let i = 0; i < 3; i++) expect(await signIn(bench)).toMatchObject({ status: "invalid" });
    expect(keyRequests()).toBe(1);
    pass(61_000);
    expect(await signIn(bench)).toMatchObject({ status: "signedIn" });
    expect(keyRequests()).toBe(2);
    restoreTime();
  });

  it("counts once, in the browser that has begun it, and for a quarter of an hour", async () => {
    const bench = await openProvider();
    const { jar, answer } = await begin(bench);
    const complete = async (cookies: Record<string, string>, url = answer) =>
      (await bench.provider.complete(callerWith(cookies), url)).result;
    const tokenRequests = () => bench.idp.requests.filter((request) => request === "POST /token").length;
    expect(await complete({})).toMatchObject({ status: "lost" });
    expect(await complete((await begin(bench)).jar)).toMatchObject({ status: "lost" });
    expect(await complete({ CustomerSignIn: `${jar.CustomerSignIn?.slice(0, -4)}AAAA` })).toMatchObject({
      status: "lost",
    });
    expect(await complete(jar)).toMatchObject({ status: "signedIn" });
    expect(await complete(jar)).toEqual({ status: "lost", reason: "used before" });
    expect(tokenRequests()).toBe(1);
    stopTime();
    const late = await begin(bench);
    pass(15 * 60_000);
    expect(await complete(late.jar, late.answer)).toMatchObject({ status: "lost" });
    restoreTime();
  });

  it("goes on in each of several tabs", async () => {
    const bench = await openProvider();
    const first = await begin(bench);
    const second = await begin(bench, first.jar);
    for (const { answer } of [first, second])
      expect((await bench.provider.complete(callerWith(second.jar), answer)).result.status).toBe("signedIn");
  });

  it.each([
    ["access_denied", "refused"],
    ["login_required", "refused"],
    ["temporarily_unavailable", "unavailable"],
    ["invalid_scope", "unavailable"],
  ])("ends when the provider answers %s", async (error, status) => {
    const bench = await openProvider();
    const { jar, answer } = await begin(bench);
    answer.searchParams.delete("code");
    answer.searchParams.set("error", error);
    expect((await bench.provider.complete(callerWith(jar), answer)).result).toEqual({ status, reason: error });
  });

  it("is refused for a code that the provider has taken before", async () => {
    const bench = await openProvider();
    const { answer } = await begin(bench);
    const { jar, answer: own } = await begin(bench);
    own.searchParams.set("code", answer.searchParams.get("code") ?? "");
    const other = await begin(bench);
    expect((await bench.provider.complete(callerWith(jar), own)).result.status).toBe("invalid");
    other.answer.searchParams.set("code", answer.searchParams.get("code") ?? "");
    expect((await bench.provider.complete(callerWith(other.jar), other.answer)).result.status).toBe("lost");
  });
});

describe("a provider that can't answer", () => {
  it.each([
    ["fails", json("{}", 500)],
    ["sends a page", page],
    ["refuses the client", json('{"error":"invalid_client"}', 401)],
  ])("ends a sign-in when it %s, with one line in the log", async (_name, answer) => {
    const bench = await openProvider();
    const { jar, answer: url } = await begin(bench);
    bench.idp.answers.set("/token", answer);
    expect((await bench.provider.complete(callerWith(jar), url)).result.status).toBe("unavailable");
    expect(bench.lines.map(({ msg, upstream }) => ({ msg, upstream }))).toEqual([
      { msg: "upstream failed", upstream: "oidc" },
    ]);
    expect(JSON.stringify(bench.lines)).not.toMatch(/code-|secret|ada/);
  });

  it("begins no sign-in, and is asked again", async () => {
    const bench = await openProvider();
    bench.idp.answers.set("/.well-known/openid-configuration", json("{}", 503));
    await expect(begin(bench)).rejects.toThrow("status 503");
    bench.idp.answers.clear();
    expect(await signIn(bench)).toMatchObject({ status: "signedIn" });
  });

  it("isn't called without TLS in production", async () => {
    const bench = await openProvider({ production: true });
    await expect(begin(bench)).rejects.toThrow();
    expect(bench.idp.requests).toEqual([]);
  });

  it("is refused if it names another issuer than the configured one", async () => {
    const bench = await openProvider();
    bench.idp.metadata = { issuer: "https://other.example" };
    await expect(begin(bench)).rejects.toThrow("OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED");
  });
});

describe("a renewal", () => {
  it("brings new tokens", async () => {
    const { provider } = await openProvider();
    expect(await provider.refresh("refresh-1", "ada")).toMatchObject({
      status: "renewed",
      idToken: expect.stringContaining("."),
      refreshToken: expect.stringMatching(/^refresh-/),
    });
  });

  it.each([
    ["ends the session for invalid_grant", json('{"error":"invalid_grant"}', 400), { status: "ended" }],
    ["ends nothing for another error", json('{"error":"invalid_client"}', 401), undefined],
    ["ends nothing for a failure", json("{}", 502), undefined],
    ["ends nothing for a page", page, undefined],
  ])("%s", async (_name, answer, result) => {
    const { idp, provider } = await openProvider();
    idp.answers.set("/token", answer);
    const renewal = provider.refresh("refresh-1", "ada");
    if (result) expect(await renewal).toEqual(result);
    else await expect(renewal).rejects.toThrow("provider oidc");
  });

  it("is refused with another person's ID token, and with a wrong one", async () => {
    const { idp, provider } = await openProvider();
    await expect(provider.refresh("refresh-1", "eve")).rejects.toThrow("another person's");
    for (const name of [
      "another issuer",
      "an unknown key",
      "an expired token",
      "a token from the future",
      "no signature",
    ]) {
      idp.idToken = wrongIdTokens[name]?.() ?? {};
      await expect(provider.refresh("refresh-1", "ada")).rejects.toThrow("provider oidc");
    }
  });
});
