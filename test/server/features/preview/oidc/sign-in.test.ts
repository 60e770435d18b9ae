import type { RequestListener } from "node:http";
import { load } from "cheerio";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { second } from "../../../../../client/rules/time.ts";
import { addAccount, findAccount, lockAccount } from "../../../../../server/accounts/accounts.ts";
import type { Database } from "../../../../../server/store/open-store.ts";
import { type Jar, keep } from "../../../../support/cookie-jar.ts";
import { type Person, startIdentityProvider } from "../../../../support/identity-provider.ts";
import { markupFaults } from "../../../../support/markup-faults.ts";
import { startMisbehavingProvider, wrongIdTokens } from "../../../../support/misbehaving-provider.ts";
import { newAddress } from "../../../../support/new-address.ts";
import { passTime } from "../../../../support/pass-time.ts";
import {
  base,
  call,
  choose,
  christmas,
  cookiesOf,
  header,
  password,
  signIn,
  user,
} from "../../../../support/preview-test.ts";
import { createProviderVisitor } from "../../../../support/provider-visitor.ts";
import { json, status } from "../../../../support/start-stub.ts";
import { createTestApp, siteOf, sites, type TestChanges } from "../../../../support/test-app.ts";

const client = { id: "preview", secret: "the secret of the preview" };
const access = { claim: "groups", value: "shop-staff" };
const ada: Person = { email: "ada@shop.example", groups: ["office", "shop-staff"], acr: "gold", amr: ["pwd", "otp"] };
const eve: Person = { email: "eve@shop.example", groups: ["shop-staff"] };
const bob: Person = { email: "bob@shop.example", groups: ["office"] };
const { origin } = siteOf("DE");
const { host } = new URL(origin);

type Access = NonNullable<TestChanges["staffProvider"]>["access"];

/** An app whose staff sign in at a provider, which is a right one unless the test has another. */
async function openApp(issuer: string, own: Partial<Access> = {}) {
  const staffProvider = { issuer, clientId: client.id, clientSecret: client.secret, access: { ...access, ...own } };
  const opened = await createTestApp({ staffProvider, trustProxy: ["loopback"] });
  /** Opens a page in a browser with these cookies. */
  const open = (path: string, jar: Jar = {}, address = newAddress()) =>
    request(opened.app)
      .get(path)
      .set({ Host: host, "X-Forwarded-For": address, Cookie: header(jar) });
  /** Begins a sign-in. Returns the address at the provider, and the browser's cookies. */
  const begin = async (path = "/preview", jar: Jar = {}) => {
    const answer = await open(path, jar).expect(303);
    return { address: answer.headers.location ?? "", jar: keep(jar, cookiesOf(answer)) };
  };
  /** Follows the provider's answer back. */
  const end = async (answer: string, jar: Jar, from?: string) => {
    const { pathname, search } = new URL(answer);
    return open(pathname + search, jar, from);
  };
  return { ...opened, db: opened.deps.store.db, open, begin, end };
}

const auditOf = (db: Database) => db.selectFrom("auditEvent").selectAll().execute();

async function startProvider(people: Person[] = [ada, bob, eve]) {
  const callbacks = sites.map((site) => `${site.origin}/preview/callback`);
  const provider = await startIdentityProvider({ clients: [{ ...client, callbacks }], people });
  onTestFinished(provider.stop);
  return provider;
}

const page: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html>");
};

/** What a page says. */
const read = ({ text }: request.Response) => {
  const $ = load(text);
  return { title: $("h1").text(), says: $(".sf-message p").text(), link: $(".sf-message a").attr("href") };
};

describe("staff in the group", () => {
  it("sign in, preview a time, and sign out", async () => {
    const { issuer } = await startProvider();
    const { app, begin, db, end, open, logs } = await openApp(issuer);
    const begun = await begin();
    const asked = new URL(begun.address);
    expect(asked.origin + asked.pathname).toBe(`${issuer}/auth`);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: "code",
      client_id: client.id,
      redirect_uri: `${origin}/preview/callback`,
      code_challenge_method: "S256",
      state: expect.any(String),
      nonce: expect.any(String),
    });

    const back = await end(await createProviderVisitor().signIn(begun.address, ada.email), begun.jar);
    expect([back.status, back.headers.location]).toEqual([303, "/"]);
    expect(back.headers).toMatchObject({ "cache-control": "private, no-store", "x-robots-tag": "noindex" });
    const jar = keep(begun.jar, cookiesOf(back));
    expect(Object.keys(jar).sort()).toEqual(["CobraAuthToken", "StaffAuthToken", "preview"]);
    const login = { event: "authn_login_success", kind: "staff", account: expect.any(String) };
    expect(logs).toContainEqual(expect.objectContaining(login));
    expect(await auditOf(db)).toEqual([expect.objectContaining({ ...login, operator: null })]);

    const chosen = await choose(app, jar, christmas, "B");
    const { body } = await open(`${base}/auth/checkauth`, chosen).expect(200);
    expect(body).toEqual({ status: "SUCCESS", dateTime: christmas, abTestName: "footer-promotion", abTestGroup: "B" });
    expect((await call(app, `${base}/auth/login/renew`, chosen)).body).toEqual({ status: "SUCCESS" });
    const left = await call(app, `${base}/auth/logout`, chosen).expect(200);
    expect(keep(chosen, cookiesOf(left))).toEqual({});
    await open(`${base}/auth/checkauth`, chosen).expect(401);
  });

  it("open a shared link after it, which is the same as ever", async () => {
    const { issuer } = await startProvider();
    const { app, begin, end, open } = await openApp(issuer);
    const visitor = createProviderVisitor();
    const begun = await begin();
    const jar = keep(begun.jar, cookiesOf(await end(await visitor.signIn(begun.address, ada.email), begun.jar)));
    const body = { path: "/category/coffee" };
    const { url } = (
      await call(app, `${base}/share`, await choose(app, jar, christmas))
        .send(body)
        .expect(200)
    ).body;
    const path = url.replace(origin, "");

    // The provider remembers the person, so the form isn't shown again.
    const other = await begin(path);
    const back = await end(await visitor.signIn(other.address, "nobody@shop.example"), other.jar);
    expect(back.headers.location).toBe(path);
    const opened = await open(path, keep(other.jar, cookiesOf(back))).expect(303);
    expect(opened.headers.location).toBe("/category/coffee");
    expect(Object.keys(keep({}, cookiesOf(opened)))).toEqual(["PreviewContext"]);
    const broken = await open(`${path.slice(0, -9)}AAAAAAAAA`, jar);
    expect([broken.status, read(broken).link]).toEqual([410, "/preview"]);
  });

  it("may be in the group by a single value, or by userinfo alone", async () => {
    const provider = await startMisbehavingProvider(client);
    const { begin, end } = await openApp(provider.issuer);
    for (const [person, inToken] of [
      [{ sub: "ada", groups: "shop-staff" }, {}],
      [
        { sub: "eva", groups: ["shop-staff"] },
        { groups: undefined, email: undefined },
      ],
    ] as const) {
      provider.person = person;
      provider.idToken = { claims: inToken };
      const { address, jar } = await begin();
      expect((await end(await createProviderVisitor().signIn(address, ""), jar)).headers.location).toBe("/");
    }
  });
});

describe("nobody else gets a session", () => {
  it("not somebody outside the group: a page with 403 leads to a sign-in that asks again", async () => {
    const { issuer } = await startProvider();
    const { begin, db, end, open, logs, deps } = await openApp(issuer);
    const visitor = createProviderVisitor();
    const begun = await begin();
    const refused = await end(await visitor.signIn(begun.address, bob.email), begun.jar);
    expect(refused.status).toBe(403);
    expect(keep({}, cookiesOf(refused))).toEqual({});
    const refusal = { event: "authz_fail", kind: "staff", account: expect.any(String) };
    expect(logs).toContainEqual(expect.objectContaining(refusal));
    expect(await auditOf(db)).toContainEqual(expect.objectContaining({ ...refusal, operator: null }));
    expect(JSON.stringify(logs)).not.toContain(bob.email);
    expect(await findAccount(deps.store.db, "staff", bob.email)).toBeUndefined();
    const page = read(refused);
    expect(page.says).toContain("darf die Vorschau nicht öffnen");
    expect(await markupFaults(refused.text)).toEqual([]);

    const again = await open(page.link ?? "").expect(303);
    const asked = again.headers.location ?? "";
    expect(new URL(asked).searchParams.get("prompt")).toBe("login");
    const back = await end(await visitor.signIn(asked, ada.email), keep({}, cookiesOf(again)));
    expect(back.headers.location).toBe("/");
  });

  it.each([
    ["acr", "gold", 303],
    ["amr", "otp", 303],
    ["another", "hardware-key", 403],
  ])("not without what is required of the sign-in: by %s", async (_claim, acr, expected) => {
    const { issuer } = await startProvider();
    const { begin, end } = await openApp(issuer, { acr });
    const { address, jar } = await begin();
    expect(new URL(address).searchParams.get("acr_values")).toBe(acr);
    const back = await end(await createProviderVisitor().signIn(address, ada.email), jar);
    expect(back.status).toBe(expected);
    if (expected === 403)
      expect(read(back)).toMatchObject({
        says: expect.stringContaining("zweiten Faktor"),
        link: "/preview?as=another",
      });
  });

  it("not whose account an operator has locked", async () => {
    const { issuer } = await startProvider();
    const { begin, end, db, open } = await openApp(issuer);
    const signInAs = async (email: string) => {
      const { address, jar } = await begin();
      const back = await end(await createProviderVisitor().signIn(address, email), jar);
      return { status: back.status, jar: keep(jar, cookiesOf(back)) };
    };
    const { jar } = await signInAs(eve.email);
    const account = await findAccount(db, "staff", eve.email);
    await lockAccount(db, account?.id ?? "");
    await open(`${base}/auth/checkauth`, jar).expect(401);
    expect((await signInAs(eve.email)).status).toBe(403);
  });

  it("not by a password, and not with a session by a password", async () => {
    const embedded = await createTestApp({ trustProxy: ["loopback"] });
    const jar = await signIn(embedded.app, embedded.deps.store.db);
    const { issuer } = await startProvider();
    const { app, db, open } = await openApp(issuer);
    await addAccount(db, "staff", { email: user, password });
    await call(app, `${base}/auth/login`).send({ user, password }).expect(404);
    await call(app, "/preview").type("form").send({ user, password }).expect(405);
    await open(`${base}/auth/checkauth`, jar).expect(401);
    await request(embedded.app).get(`${base}/auth/checkauth`).set("Cookie", header(jar)).expect(200);
  });

  it("not after the group has changed", async () => {
    const { issuer } = await startProvider();
    const before = await openApp(issuer);
    const { address, jar } = await before.begin();
    const back = await before.end(await createProviderVisitor().signIn(address, ada.email), jar);
    const signedIn = keep(jar, cookiesOf(back));
    await before.open(`${base}/auth/checkauth`, signedIn).expect(200);
    const after = await openApp(issuer, { value: "office" });
    await after.open(`${base}/auth/checkauth`, signedIn).expect(401);
  });

  it("not by a wrong ID token", async () => {
    const provider = await startMisbehavingProvider(client);
    provider.person = { sub: "ada", groups: ["shop-staff"] };
    const { begin, end } = await openApp(provider.issuer);
    for (const [what, wrong] of Object.entries(wrongIdTokens)) {
      provider.idToken = wrong();
      const { address, jar } = await begin();
      const back = await end(await createProviderVisitor().signIn(address, ""), jar);
      // A wrong clock isn't the person's fault.
      expect([400, 503], what).toContain(back.status);
      expect(keep({}, cookiesOf(back)), what).toEqual({});
      expect(read(back).link, what).toBe("/preview");
      expect(back.text, what).not.toContain("code-");
    }
  });

  it("not by a code used twice, a state of another browser, or none", async () => {
    const provider = await startMisbehavingProvider(client);
    provider.person = { sub: "ada", groups: ["shop-staff"] };
    const { begin, end, open } = await openApp(provider.issuer);
    const visitor = createProviderVisitor();
    const [own, others] = [await begin(), await begin()];
    const answer = await visitor.signIn(own.address, "");
    expect((await end(answer, others.jar)).status).toBe(400);
    expect((await open("/preview/callback")).status).toBe(400);
    const first = await end(answer, own.jar);
    expect(first.status).toBe(303);
    const again = await end(answer, own.jar);
    expect([again.status, keep({}, cookiesOf(again))]).toEqual([400, {}]);
    // Somebody who goes back in the browser has a session.
    expect((await end(answer, keep(own.jar, cookiesOf(first)))).headers.location).toBe("/");
  });

  it.each([
    ["a request for its headers alone", (asked: request.Agent, path: string) => asked.head(path), 405],
    ["a prefetch", (asked: request.Agent, path: string) => asked.get(path).set("Sec-Purpose", "prefetch"), 403],
  ])("by a visit alone: %s doesn't use it up", async (_name, ask, status) => {
    const provider = await startMisbehavingProvider(client);
    provider.person = { sub: "ada", groups: ["shop-staff"] };
    const { app, begin, end } = await openApp(provider.issuer);
    const { address, jar } = await begin();
    const answer = await createProviderVisitor().signIn(address, "");
    const { pathname, search } = new URL(answer);
    await ask(request.agent(app).set({ Host: host, Cookie: header(jar) }), pathname + search).expect(status);
    expect((await end(answer, jar)).status).toBe(303);
  });

  it("not somebody who cancels: 403, and a way on", async () => {
    const { issuer } = await startProvider();
    const { begin, end } = await openApp(issuer);
    const { address, jar } = await begin();
    const back = await end(await createProviderVisitor().cancel(address), jar);
    expect([back.status, read(back)]).toEqual([
      403,
      expect.objectContaining({ says: expect.stringContaining("abgebrochen"), link: "/preview" }),
    ]);
  });

  it("counts wrong answers of a network, and refuses more than it may have", async () => {
    const provider = await startMisbehavingProvider(client);
    const { open, deps, logs } = await openApp(provider.issuer);
    const address = newAddress();
    const statuses = new Map<number, number>();
    for (let tries = 0; tries < 40; tries++) {
      const { status } = await open("/preview/callback?code=forged&state=forged", {}, address);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [400, 30],
      [429, 10],
    ]);
    expect(logs.filter(({ event }) => event === "excess_rate_limit_exceeded")).toHaveLength(1);
    const { values } = await deps.metrics.signIns.get();
    expect(values).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ labels: { kind: "staff", outcome: "unauthorized" }, value: 30 }),
        expect.objectContaining({ labels: { kind: "staff", outcome: "rateLimited" }, value: 10 }),
      ]),
    );
    expect(provider.requests).toEqual([]);
  });
});

describe("a provider that doesn't answer", () => {
  it.each([
    ["fails", status(500)],
    ["sends a page", page],
    ["is busy", json('{"error":"temporarily_unavailable"}', 503)],
    ["refuses the client", json('{"error":"invalid_client"}', 401)],
  ])("gets staff a page with 503: it %s", async (_what, answer) => {
    const provider = await startMisbehavingProvider(client);
    const { begin, end } = await openApp(provider.issuer);
    const { address, jar } = await begin();
    provider.answers.set("/token", answer);
    const back = await end(await createProviderVisitor().signIn(address, ""), jar);
    expect([back.status, read(back).link]).toEqual([503, "/preview"]);
  });

  it("leaves sessions and footers, is called no more, and signs staff in when it is back", async () => {
    const provider = await startProvider();
    const { begin, end, open, logs, deps } = await openApp(provider.issuer);
    const before = await begin();
    const signedIn = await end(await createProviderVisitor().signIn(before.address, ada.email), before.jar);
    const session = keep(before.jar, cookiesOf(signedIn));
    const waiting = await begin();
    const answer = await createProviderVisitor().signIn(waiting.address, ada.email);
    const downNow = async () => {
      const { values } = await deps.metrics.upstreamsDown.get();
      return values.find(({ labels }) => labels.upstream === "oidc-staff")?.value;
    };

    await provider.stop();
    // Somebody who comes back from the provider gets a page, and begins again.
    const back = await end(answer, waiting.jar);
    expect(back.status).toBe(503);
    expect(read(back)).toMatchObject({ title: "Vorschau für Mitarbeitende", link: "/preview" });
    expect(await downNow()).toBe(0);
    for (let tries = 0; tries < 5; tries++) {
      const { address, jar } = await begin();
      const { searchParams } = new URL(address);
      const forged = `${origin}/preview/callback?code=1&state=${searchParams.get("state")}&iss=${provider.issuer}`;
      expect((await end(forged, jar)).status).toBe(503);
    }
    expect(await downNow()).toBe(1);
    await open(`${base}/auth/checkauth`, session).expect(200);
    await open("/fragments/footer?site=DE").expect(200);

    await provider.start();
    passTime(6 * second);
    const { address, jar } = await begin();
    const late = await end(await createProviderVisitor().signIn(address, ada.email), jar);
    expect([late.status, await downNow()]).toEqual([303, 0]);
    const health = logs.filter(({ upstream }) => upstream === "oidc-staff").map(({ msg }) => msg);
    expect(health).toEqual(["upstream failed", "upstream recovered"]);
    const { values } = await deps.metrics.upstreamCalls.get();
    const outcomes = values
      .filter(({ labels }) => labels.upstream === "oidc-staff")
      .map(({ labels }) => labels.outcome);
    expect(new Set(outcomes)).toEqual(new Set(["answered", "unanswered"]));
  });

  it("gets them a page with 503 before it has ever answered, and the next visitor asks it again", async () => {
    const provider = await startProvider();
    const { begin, open } = await openApp(provider.issuer);
    await provider.stop();
    expect(read(await open("/preview").expect(503)).link).toBe("/preview");
    await provider.start();
    expect((await begin()).address).toContain(provider.issuer);
  });
});

it.each(sites)("$site has each page in its language, without script", async (site) => {
  const provider = await startMisbehavingProvider(client);
  const { app, context } = await openApp(provider.issuer);
  const answer = await request(app)
    .get("/preview/callback")
    .set({ Host: new URL(site.origin).host, "X-Forwarded-For": newAddress() });
  const $ = load(answer.text);
  const own = context.texts.translator(site.locale, "staff-sign-in");
  expect([answer.status, $("html").attr("lang"), $(".sf-message p").text()]).toEqual([400, site.locale, own("lost")]);
  expect(await markupFaults(answer.text)).toEqual([]);
});

it("leads from any other host to that of a site, which gets the cookie", async () => {
  const provider = await startMisbehavingProvider(client);
  const { app } = await openApp(provider.issuer);
  const answer = await request(app).get("/preview?as=another").set("Host", "localhost:3000").expect(303);
  expect(answer.headers.location).toBe(`${origin}/preview?as=another`);
  expect(provider.requests).toEqual([]);
});
