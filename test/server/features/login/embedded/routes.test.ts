import { parseSetCookie } from "cookie";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { addAccount, findAccount, lockAccount } from "../../../../../server/accounts/accounts.ts";
import { clockOf, email, type Jar, keep, password } from "../../../../support/login-test.ts";
import { newAddress } from "../../../../support/new-address.ts";
import { createTestApp } from "../../../../support/test-app.ts";
import { openTestStore } from "../../../../support/test-store.ts";

const base = "/service/login/api/v1";
const { app, deps, logs } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
await addAccount(db, "customer", { email, password, salutation: "MRS", firstName: "Ada", consents: ["DNE"] });

const ours = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
const cookiesOf = ({ headers }: request.Response): string[] => [headers["set-cookie"] ?? []].flat();
const header = (jar: Jar) => Object.entries(jar).map(([name, value]) => `${name}=${value}`);

/** A call from a page, by somebody who shares the network with nobody. */
function call(path: string, jar: Jar = {}, headers: Record<string, string> = ours) {
  return request(app)
    .post(path)
    .set({ ...headers, "X-Forwarded-For": newAddress(), Cookie: header(jar) });
}

async function signIn(body: object = {}): Promise<Jar> {
  return keep(
    {},
    cookiesOf(
      await call(`${base}/login`)
        .send({ email, password, ...body })
        .expect(200),
    ),
  );
}

const psdata = async (jar: Jar) =>
  request(app).get("/service/customerfrontenddata/api/v1/psdata").set("Cookie", header(jar)).expect(200);

describe("signing in", () => {
  it.each([
    [{}, undefined],
    [{ stayLoggedIn: false }, undefined],
    [{ stayLoggedIn: true }, 14 * 24 * 60 * 60],
  ])("sets the cookies of a session: %j", async (body, maxAge) => {
    const answer = await call(`${base}/login`)
      .send({ email, password, ...body })
      .expect(200);
    const cookies = cookiesOf(answer).map((text) => parseSetCookie(text));
    expect(cookies.map(({ name }) => name)).toEqual(["LoginToken", "login", "LongtermToken", "KnownDevice"]);
    const all = { path: "/", sameSite: "lax" };
    expect(cookies[0]).toEqual({ name: "LoginToken", value: expect.any(String), ...all, ...(maxAge && { maxAge }) });
    expect(cookies[1]).toEqual({
      ...{ name: "login", value: expect.any(String), httpOnly: true, ...all, ...(maxAge && { maxAge }) },
    });
    expect(cookies[2]).toMatchObject(
      maxAge ? { value: expect.stringMatching(/.{100}/), httpOnly: true } : { value: "", maxAge: 0 },
    );
    const { exp, ren, ...rest } = clockOf(keep({}, cookiesOf(answer)));
    expect(ren - Date.now() / 1000).toBeCloseTo(600, -1);
    expect(exp).toBeGreaterThan(ren);
    expect(Object.keys(rest)).toEqual(maxAge ? ["lid"] : []);
    for (const text of cookiesOf(answer)) expect(text.length).toBeLessThan(1024);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  it("sets Secure cookies over HTTPS", async () => {
    const secure = await call(`${base}/login`, {}, { ...ours, "X-Forwarded-Proto": "https" }).send({ email, password });
    for (const text of cookiesOf(secure)) expect(parseSetCookie(text).secure).toBe(true);
    for (const text of cookiesOf(await call(`${base}/logout`, {}, { ...ours, "X-Forwarded-Proto": "https" })))
      expect(parseSetCookie(text).secure).toBe(true);
  });

  it("accepts any spelling of the address", async () => {
    for (const spelled of ["ADA@SHOP.example", "  ada@shop.EXAMPLE "]) await signIn({ email: spelled });
    await addAccount(db, "customer", { email: "zoe@müller.example", password });
    await signIn({ email: "Zoe@xn--mller-kva.example" });
  });

  it("gives the same answer for an unknown address, a wrong password and a locked account", async () => {
    await addAccount(db, "customer", { email: "locked@shop.example", password });
    const locked = await findAccount(db, "customer", "locked@shop.example");
    if (locked) await lockAccount(db, locked.id);
    const answers = [];
    for (const body of [
      { email: "nobody@shop.example", password },
      { email, password: "wrong password" },
      { email: "locked@shop.example", password },
    ]) {
      const { headers, text, status } = await call(`${base}/login`).send(body);
      const { date: _, "x-request-id": __, ...same } = headers;
      answers.push({ status, text, headers: same });
    }
    expect(answers[0]).toMatchObject({ status: 401, text: expect.stringContaining('"type":"UNAUTHORIZED"') });
    expect(answers[0]?.headers).not.toHaveProperty("set-cookie");
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  });

  it.each([
    [{}, ["email", "password"]],
    [{ email: 1, password: [] }, ["email", "password"]],
    [{ email: "", password: "" }, ["email", "password"]],
    [{ email: "a".repeat(257), password: "a".repeat(257) }, ["email", "password"]],
    [{ email, password, stayLoggedIn: "yes" }, ["stayLoggedIn"]],
    [{ email, password, role: "admin" }, ["role"]],
    [[], [""]],
  ])("names the invalid fields: %j", async (body, fields) => {
    const answer = await call(`${base}/login`).send(body).expect(400);
    const named: { field: string }[] = answer.body.errors;
    expect(named.map(({ field }) => field)).toEqual(fields);
    expect(answer.text).not.toContain(password);
  });

  it("accepts only a small JSON body", async () => {
    for (const sent of ["{", JSON.stringify({ email, password: "x".repeat(5_000) })]) {
      await call(`${base}/login`).type("json").send(sent).expect(400);
    }
    await call(`${base}/login`).type("form").send({ email, password }).expect(400);
  });

  it("is unavailable and logs the cause when a table is missing", async () => {
    const broken = await createTestApp({ store: await openTestStore(deps.logger) });
    await broken.deps.store.db.schema.dropTable("rate_limit").execute();
    const { body } = await request(broken.app).post(`${base}/login`).set(ours).send({ email, password }).expect(503);
    expect(body.type).toBe("UNAVAILABLE");
    const text = JSON.stringify(broken.logs);
    // Of an error of PostgreSQL, the log has the code alone: undefined table.
    expect(text).toMatch(/rate_limit|42P01/);
    expect(text).not.toContain(email);
    expect(text).not.toContain(password);
  });
});

describe("a call that changes something", () => {
  it.each(["login", "logintoken/renew", "longtermtoken/renew", "logout"])(
    "is refused without CSRF header and same-origin evidence: %s",
    async (path) => {
      const jar = await signIn({ stayLoggedIn: true });
      for (const headers of [
        {},
        { "X-hunter-csrf": "1" },
        { "Sec-Fetch-Site": "same-origin" },
        { "X-hunter-csrf": " ", "Sec-Fetch-Site": "same-origin" },
        { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-site" },
        { "X-hunter-csrf": "1", "Sec-Fetch-Site": "cross-site" },
        { "X-hunter-csrf": "1", Origin: "https://evil.example" },
      ]) {
        const { body, headers: sent } = await call(`${base}/${path}`, jar, headers)
          .send({ email, password })
          .expect(403);
        expect(body.type).toBe("FORBIDDEN");
        expect(sent).not.toHaveProperty("set-cookie");
      }
      expect((await psdata(jar)).body).toEqual({ email });
    },
  );

  it("is accepted with a same-origin Origin header", async () => {
    await call(`${base}/login`, {}, { "X-hunter-csrf": "1", Host: "de.localhost", Origin: "http://de.localhost" })
      .send({ email, password })
      .expect(200);
  });
});

describe("a renewal", () => {
  it("answers 201 with new cookies", async () => {
    const jar = await signIn({ stayLoggedIn: true });
    const next = keep(jar, cookiesOf(await call(`${base}/logintoken/renew`, jar).send({}).expect(201)));
    for (const name of ["login", "LongtermToken"]) expect(next[name]).not.toBe(jar[name]);
    const last = keep(next, cookiesOf(await call(`${base}/longtermtoken/renew`, next).expect(204)));
    expect((await psdata(last)).body).toEqual({ email });
  });

  it.each([[{}], [{ login: "x" }], [{ LongtermToken: "x.y.z", login: "j:{}" }]])(
    "without a valid session answers 401 and removes the cookies: %j",
    async (jar) => {
      const answer = await call(`${base}/logintoken/renew`, jar).send({}).expect(401);
      expect(answer.body.type).toBe("UNAUTHORIZED");
      expect(keep({ LoginToken: "a", login: "b", LongtermToken: "c" }, cookiesOf(answer))).toEqual({});
      await call(`${base}/longtermtoken/renew`, jar).expect(204);
    },
  );

  it("never fails because of what it is sent", async () => {
    for (const body of ["", "{", "[1]", "null", "x".repeat(10_000)]) {
      expect((await call(`${base}/logintoken/renew`, { login: body }).type("json").send(body)).status).toBeLessThan(
        500,
      );
    }
  });
});

describe("signing out", () => {
  it("removes the cookies, and ends the session", async () => {
    const jar = await signIn({ stayLoggedIn: true });
    const answer = await call(`${base}/logout`, jar).expect(204);
    expect(keep(jar, cookiesOf(answer))).toEqual({});
    expect(answer.headers["clear-site-data"]).toBe('"cache"');
    await call(`${base}/logintoken/renew`, jar).send({}).expect(401);
    expect((await psdata(jar)).body).toEqual({});
    await call(`${base}/logout`, jar).expect(204);
    await call(`${base}/logout`).expect(204);
  });
});

describe("customer data", () => {
  it("is the address of the signed-in customer, uncached", async () => {
    const { body, headers } = await psdata(await signIn());
    expect(body).toEqual({ email });
    expect(headers["cache-control"]).toBe("no-store");
    expect((await psdata({})).body).toEqual({});
    expect((await psdata({ login: "x.y.z", LoginToken: (await signIn()).LoginToken ?? "" })).body).toEqual({});
  });

  it("is the address when only a long-term token is left, which signs nobody in", async () => {
    const { LongtermToken = "" } = await signIn({ stayLoggedIn: true });
    expect((await psdata({ LongtermToken })).body).toEqual({ email });
    expect((await psdata({ login: "x.y.z", LongtermToken })).body).toEqual({ email });
    const baseData = request(app).get("/service/newsletter/api/private/customers/base-data");
    await baseData.set("Cookie", header({ LongtermToken })).expect(401);
    await call(`${base}/logout`, { LongtermToken }).expect(204);
    expect((await psdata({ LongtermToken })).body).toEqual({});
  });

  it("prefills the newsletter form", async () => {
    const jar = await signIn();
    const path = "/service/newsletter/api/private/customers";
    const { body } = await request(app).get(`${path}/base-data`).set("Cookie", header(jar)).expect(200);
    expect(body).toEqual({ email, salutation: "MRS", firstName: "Ada", consents: ["DNE"] });
    const status = await request(app).get(`${path}/newsletter-status`).set("Cookie", header(jar)).expect(200);
    expect(status.body).toEqual({ status: "NONE" });
    await request(app)
      .get(`${path}/base-data`)
      .set("Cookie", header({ ...jar, login: "" }))
      .expect(401);
  });
});

it("no address, password or token is in the log", async () => {
  const jar = await signIn({ stayLoggedIn: true });
  const text = JSON.stringify(logs);
  expect(text).toContain(`${base}/login`);
  for (const secret of [email, password, ...Object.values(jar)]) expect(text).not.toContain(secret);
});
