import { parseSetCookie } from "cookie";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { addAccount, findAccount, lockAccount } from "../../../../../server/accounts/accounts.ts";
import { type Jar, keep } from "../../../../support/cookie-jar.ts";
import { clockOf, email, password } from "../../../../support/login-test.ts";
import { call as callOf, cookiesOf, header, ours } from "../../../../support/preview-test.ts";
import { createTestApp } from "../../../../support/test-app.ts";
import { openTestStore } from "../../../../support/test-store.ts";

const base = "/service/login/api/v1";
const customers = "/service/newsletter/api/private/customers";
const { app, deps, logs } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
await addAccount(db, "customer", { email, password, salutation: "MRS", firstName: "Ada", consents: ["DNE"] });

const call = (path: string, jar: Jar = {}, headers: Record<string, string> = ours) =>
  callOf(app, `${base}/${path}`, jar, headers);

async function signIn(body: object = {}): Promise<Jar> {
  const sent = call("login").send({ email, password, ...body });
  return keep({}, cookiesOf(await sent.expect(200)));
}

const psdata = async (jar: Jar) =>
  request(app).get("/service/customerfrontenddata/api/v1/psdata").set("Cookie", header(jar)).expect(200);

describe("signing in", () => {
  it.each([
    [{ stayLoggedIn: false }, undefined],
    [{ stayLoggedIn: true }, 14 * 24 * 60 * 60],
  ])("sets the cookies of a session: %j", async (body, maxAge) => {
    const sent = call("login", {}, { ...ours, "X-Forwarded-Proto": "https" }).send({ email, password, ...body });
    const answer = await sent.expect(200);
    const cookies = cookiesOf(answer).map((text) => parseSetCookie(text));
    const lasting = { value: expect.any(String), path: "/", sameSite: "lax", secure: true, ...(maxAge && { maxAge }) };
    expect(cookies).toEqual([
      { name: "LoginToken", ...lasting },
      { name: "login", httpOnly: true, ...lasting },
      expect.objectContaining({
        name: "LongtermToken",
        httpOnly: true,
        ...(maxAge ? { value: expect.stringMatching(/.{100}/), maxAge } : { value: "", maxAge: 0 }),
      }),
      expect.objectContaining({ name: "KnownDevice", httpOnly: true, secure: true, maxAge: 400 * 24 * 60 * 60 }),
    ]);
    expect(Object.keys(clockOf(keep({}, cookiesOf(answer))))).toEqual(["exp", "ren", ...(maxAge ? ["lid"] : [])]);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  it("accepts any spelling of the address", async () => {
    await signIn({ email: "  ADA@shop.EXAMPLE " });
    await addAccount(db, "customer", { email: "zoe@müller.example", password });
    await signIn({ email: "Zoe@xn--mller-kva.example" });
  });

  it("answers alike for an unknown address, a wrong password and a locked account", async () => {
    await addAccount(db, "customer", { email: "locked@shop.example", password });
    const locked = await findAccount(db, "customer", "locked@shop.example");
    if (locked) await lockAccount(db, locked.id);
    const answers = [];
    for (const body of [
      { email: "nobody@shop.example", password },
      { email, password: "wrong password" },
      { email: "locked@shop.example", password },
      // PostgreSQL rejects a query with this character.
      { email: `${email}\0`, password },
    ]) {
      const { headers, text, status } = await call("login").send(body);
      const { date: _, "x-request-id": __, ...same } = headers;
      answers.push({ status, text, headers: same });
    }
    expect(answers[0]).toMatchObject({ status: 401, text: expect.stringContaining('"type":"UNAUTHORIZED"') });
    expect(answers[0]?.headers).not.toHaveProperty("set-cookie");
    expect(answers).toEqual(Array(4).fill(answers[0]));
  });

  it.each([
    [{}, ["email", "password"]],
    [{ email: "", password: [] }, ["email", "password"]],
    [{ email: "a".repeat(257), password: "a".repeat(257) }, ["email", "password"]],
    [{ email, password, stayLoggedIn: "yes" }, ["stayLoggedIn"]],
    [{ email, password, role: "admin" }, ["role"]],
  ])("names the invalid fields: %j", async (body, fields) => {
    const answer = await call("login").send(body).expect(400);
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
    expect(answer.text).not.toContain(password);
  });

  it("accepts only a small JSON body", async () => {
    await call("login")
      .send({ email, password: "x".repeat(5_000) })
      .expect(400);
    await call("login").type("form").send({ email, password }).expect(400);
  });

  it("is unavailable and logs the cause when a table is missing", async () => {
    const broken = await createTestApp({ store: await openTestStore(deps.logger) });
    await broken.deps.store.db.schema.dropTable("rate_limit").execute();
    const { body } = await callOf(broken.app, `${base}/login`).send({ email, password }).expect(503);
    expect(body.type).toBe("UNAVAILABLE");
    const text = JSON.stringify(broken.logs);
    // Of a PostgreSQL error, the log has only the code: undefined table.
    expect(text).toMatch(/rate_limit|42P01/);
    for (const secret of [email, password]) expect(text).not.toContain(secret);
  });
});

describe("a call that changes something", () => {
  it.each(["login", "logintoken/renew", "longtermtoken/renew", "logout"])(
    "is refused without CSRF header or same-origin evidence: %s",
    async (path) => {
      const jar = await signIn({ stayLoggedIn: true });
      for (const headers of [
        { "X-hunter-csrf": " ", "Sec-Fetch-Site": "same-origin" },
        { "X-hunter-csrf": "1" },
        { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-site" },
        { "X-hunter-csrf": "1", Origin: "https://evil.example" },
      ]) {
        const refused = await callOf(app, `${base}/${path}`, jar, headers).send({ email, password }).expect(403);
        expect(refused.body.type).toBe("FORBIDDEN");
        expect(refused.headers).not.toHaveProperty("set-cookie");
      }
      expect((await psdata(jar)).body).toEqual({ email });
    },
  );

  it("is accepted with a same-origin Origin header", async () => {
    const headers = { "X-hunter-csrf": "1", Host: "de.localhost", Origin: "http://de.localhost" };
    await callOf(app, `${base}/login`, {}, headers).send({ email, password }).expect(200);
  });
});

describe("a renewal", () => {
  it("answers 201 with new cookies", async () => {
    const jar = await signIn({ stayLoggedIn: true });
    const next = keep(jar, cookiesOf(await call("logintoken/renew", jar).send({}).expect(201)));
    for (const name of ["login", "LongtermToken"]) expect(next[name]).not.toBe(jar[name]);
    const last = keep(next, cookiesOf(await call("longtermtoken/renew", next).expect(204)));
    expect((await psdata(last)).body).toEqual({ email });
  });

  it.each([[{}], [{ login: "x" }], [{ LongtermToken: "x.y.z", login: "j:{}" }]])(
    "without a valid session answers 401 and removes the cookies: %j",
    async (jar) => {
      const answer = await call("logintoken/renew", jar).send({}).expect(401);
      expect(answer.body.type).toBe("UNAUTHORIZED");
      expect(keep({ LoginToken: "a", login: "b", LongtermToken: "c" }, cookiesOf(answer))).toEqual({});
      await call("longtermtoken/renew", jar).expect(204);
    },
  );
});

it("signing out removes the cookies, and ends the session", async () => {
  const jar = await signIn({ stayLoggedIn: true });
  const answer = await call("logout", jar).expect(204);
  expect(keep(jar, cookiesOf(answer))).toEqual({});
  expect(answer.headers["clear-site-data"]).toBe('"cache"');
  await call("logintoken/renew", jar).send({}).expect(401);
  expect((await psdata(jar)).body).toEqual({});
  await call("logout", jar).expect(204);
});

describe("customer data", () => {
  it("is the address of the signed-in customer, uncached", async () => {
    const { body, headers } = await psdata(await signIn());
    expect(body).toEqual({ email });
    expect(headers["cache-control"]).toBe("no-store");
    expect((await psdata({ login: "x.y.z", LoginToken: (await signIn()).LoginToken ?? "" })).body).toEqual({});
  });

  it("is the address when only a long-term token is left, which signs nobody in", async () => {
    const { LongtermToken = "" } = await signIn({ stayLoggedIn: true });
    const get = (jar: Jar) => request(app).get(`${customers}/base-data`).set("Cookie", header(jar));
    for (const jar of [{ LongtermToken }, { login: "x.y.z", LongtermToken }]) {
      expect((await psdata(jar)).body).toEqual({ email });
      await get(jar).expect(401);
    }
    expect((await psdata({})).headers, "of a browser without a session").not.toHaveProperty("set-cookie");
    const jar = await signIn();
    const known = { email, salutation: "MRS", firstName: "Ada", consents: ["DNE"] };
    await get(jar).expect(200, known);
    // A service in front of this one sends the credential alone.
    await get({}).set("X-Login-Token", String(jar.login)).expect(200, known);
  });
});

it("the log has no address, password or token", async () => {
  const jar = await signIn({ stayLoggedIn: true });
  const text = JSON.stringify(logs);
  expect(text).toContain(`${base}/login`);
  for (const secret of [email, password, ...Object.values(jar)]) expect(text).not.toContain(secret);
});
