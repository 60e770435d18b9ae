import request from "supertest";
import { describe, expect, it } from "vitest";
import { newAddress } from "../../../../support/new-address.ts";
import { lastMail, mailsTo, recordsOf, signUpOf, subscriptionOf } from "../../../../support/newsletter-test.ts";
import { createTestApp, siteOf } from "../../../../support/test-app.ts";

// Here the tests' own address is that of a back-office server, so that every visitor can have another one.
const { app, deps, logs } = await createTestApp({ originalAddressFrom: ["127.0.0.0/8", "::1"] });
const { db } = deps.store;
const bases = ["internal", "private"].map((part) => `/service/newsletter/api/${part}/newsletter-subscribers`);
const [base = ""] = bases;
const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
const invalidToken = { type: "INVALID_TOKEN", title: "the link isn't valid", status: 404 };

const post = (body: unknown, headers: Record<string, string> = {}, path = base) =>
  request(app)
    .post(path)
    .set({ ...own, "X-Site": "DE", "X-Original-Address": newAddress(), ...headers })
    .send(body as object);
const put = (path: string, body?: object) => request(app).put(`${base}/${path}`).set(own).send(body);

async function signUp(email: string, site = "DE"): Promise<string> {
  await post(signUpOf(email), { "X-Site": site }).expect(202);
  return (await lastMail(db, email, "confirm")).subscriberToken;
}

it.each(bases)("a sign-up at %s is for the site of its header, or else of its host", async (path) => {
  const email = path.includes("private") ? "private@shop.example" : "internal@shop.example";
  const answer = await post(signUpOf(email), { "X-Site": "TR" }, path);
  expect([answer.status, answer.body]).toEqual([202, { status: "ACCEPTED" }]);
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers).not.toHaveProperty("set-cookie");
  const { localHost } = siteOf("PL");
  const hosted = { Host: localHost, "X-hunter-csrf": "1", Origin: `http://${localHost}` };
  await request(app).post(path).set(hosted).set("X-Original-Address", newAddress()).send(signUpOf(email)).expect(202);
  for (const site of ["TR", "PL"]) expect(await subscriptionOf(db, email, site)).toMatchObject({ state: "pending" });
});

describe("a sign-up", () => {
  it("needs nothing but an address where the country asks for no more", async () => {
    await post({ email: "plain@shop.example" }).expect(202);
    const defaults = { consents: "[]", origin: "NEWSLETTER", originAddition: null };
    expect(await subscriptionOf(db, "plain@shop.example")).toMatchObject(defaults);
  });

  it("is answered the same for an address that is new, pending, confirmed or gone", async () => {
    const answers: object[] = [];
    const ask = async () => {
      const { status, text, headers } = await post(signUpOf("any@shop.example"));
      const { date: _date, "x-request-id": _id, ...others } = headers;
      answers.push({ status, text, headers: others });
    };
    await ask();
    await ask();
    const { subscriberToken } = await lastMail(db, "any@shop.example", "confirm");
    await put(`${subscriberToken}/doi`).expect(200);
    await ask();
    await request(app).post(`${base}/${subscriberToken}/unsubscribe`).expect(200);
    await ask();
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it("may choose categories, which are recorded with the consent", async () => {
    const email = "about@shop.example";
    const categories = ["WOMEN_FASHION", "MEN_FASHION", "SPORT", "LIVING_FURNITURE", "HOBBY", "KIDS", "KITCHEN"];
    categories.push("SLEEPING", "DISCOUNTS", "COFFEE", "MOBILE", "CARD", "STORE");
    await post({ email, categories }).expect(202);
    expect(JSON.parse((await subscriptionOf(db, email))?.categories ?? "")).toEqual(categories);
    const [record] = await recordsOf(db, email);
    expect(JSON.parse(record?.declaration ?? "")).toMatchObject({ email, categories });
  });

  it.each<[string, unknown]>([
    ["none", undefined],
    ["a line break", "a@b.example\r\nBcc: c@d.example"],
    ["a lone surrogate", "\ud800@b.example"],
  ])("with a wrong address is refused with INVALID_EMAIL and not stored: %s", async (_what, email) => {
    const before = await db.selectFrom("newsletterSubscription").select("id").execute();
    const { body } = await post({ ...signUpOf(""), email }).expect(400);
    const errors = [{ field: "email", message: expect.stringMatching(/\S/) }];
    expect(body).toEqual({ type: "INVALID_EMAIL", title: expect.any(String), status: 400, errors });
    expect(await db.selectFrom("newsletterSubscription").select("id").execute()).toHaveLength(before.length);
  });

  it.each<[string, string]>([
    ["salutation", '"FRAU"'],
    ["firstName", '"<b>"'],
    ["consents", '["DNE","DNE"]'],
    ["originAddition", `"${"a".repeat(65)}"`],
    ["categories", '["TEA"]'],
    ["__proto__", '{"isAdmin":true}'],
    ["a/b c", "1"],
  ])("with a wrong %s is refused, names the field, and is not stored: %s", async (field, value) => {
    const sent = `{"email":"never@shop.example",${JSON.stringify(field)}:${value}}`;
    const { status, body } = await post(undefined).type("json").send(sent);
    expect([status, body.type, body.status]).toEqual([400, "INVALID_REQUEST", 400]);
    expect(body.errors).toEqual([{ field, message: expect.stringMatching(/\S/) }]);
    expect(await subscriptionOf(db, "never@shop.example")).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty("isAdmin");
  });

  it.each([
    ["no JSON", { "Content-Type": "application/json" }, "{"],
    ["a list", { "Content-Type": "application/json" }, "[]"],
    ["a form", { "Content-Type": "application/x-www-form-urlencoded" }, "email=a@b.example"],
    ["in another charset", { "Content-Type": "application/json; charset=utf-7" }, '{"email":"a@b.example"}'],
    ["compressed", { "Content-Type": "application/json", "Content-Encoding": "gzip" }, "{}"],
    [
      "too large",
      { "Content-Type": "application/json" },
      JSON.stringify({ email: "a@b.example", x: "a".repeat(2048) }),
    ],
  ])("with a body that is %s is refused", async (_what, headers, sent) => {
    const { body } = await post(undefined).set(headers).send(sent).expect(400);
    expect(body.type).toBe("INVALID_REQUEST");
    expect(await subscriptionOf(db, "a@b.example")).toBeUndefined();
  });

  it("is refused in the words of the form when something required is missing", async () => {
    const { body } = await post({ email: "bare@shop.example" }, { "X-Site": "TR" }).expect(400);
    const text = deps.texts.translator("tr-TR", "newsletter");
    expect(body).toMatchObject({ type: "INVALID_REQUEST", status: 400 });
    expect(body.errors).toEqual([
      { field: "firstName", message: text("error.firstName.required") },
      { field: "lastName", message: text("error.lastName.required") },
      { field: "consents", message: text("error.legals.required") },
    ]);
  });

  it("for an unknown site is refused, and the error names the field", async () => {
    expect((await post(signUpOf("x@shop.example"), { "X-Site": "XX" }).expect(400)).body).toMatchObject({
      type: "INVALID_REQUEST",
      errors: [{ field: "site" }],
    });
  });

  it("leaves no address, name or token in the log", async () => {
    const token = await signUp("secret@shop.example");
    await put(`${token}/doi`).expect(200);
    const written = JSON.stringify(logs);
    expect(logs.at(-1)).toMatchObject({ msg: "request", route: `${base}/:token/doi`, status: 200 });
    for (const secret of ["secret@", token, "Beispiel"]) expect(written).not.toContain(secret);
  });
});

describe("a call that changes something", () => {
  it.each<[number, Record<string, string>]>([
    [403, { "X-hunter-csrf": "1" }],
    [403, { "Sec-Fetch-Site": "same-origin" }],
    [403, { "X-hunter-csrf": " ", "Sec-Fetch-Site": "same-origin" }],
    [400, { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" }],
    [403, { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-site" }],
    [403, { "X-hunter-csrf": "1", "Sec-Fetch-Site": "none" }],
    [403, { "X-hunter-csrf": "1", "Sec-Fetch-Site": "cross-site", Origin: "http://de.localhost" }],
    [400, { "X-hunter-csrf": "1", Origin: "http://de.localhost" }],
    [403, { "X-hunter-csrf": "1", Origin: "http://at.localhost" }],
    [403, { "X-hunter-csrf": "1", Origin: "http://de.localhost:8080" }],
    [403, { "X-hunter-csrf": "1", Origin: "null" }],
  ])("needs the header and to come from the same origin: %i with %j", async (status, headers) => {
    await request(app).post(base).set("Host", "de.localhost").set(headers).send({}).expect(status);
  });

  it.each(["", "/doi"])("needs them for a subscription as well: PUT /{token}%s", async (below) => {
    const path = `${"x".repeat(32)}${below}`;
    await put(path, {}).set("X-hunter-csrf", "").expect(403);
    expect([400, 404]).toContain((await put(path, {})).status);
  });
});

describe("the link of a mail", () => {
  it("reads, confirms and changes its sign-up; following it does nothing", async () => {
    const token = await signUp("link@shop.example");
    const read = async () => (await request(app).get(`${base}/${token}`).expect(200)).body;
    for (const path of [token, `${token}/doi`, `${token}/unsubscribe`]) await request(app).get(`${base}/${path}`);
    expect(await read()).toEqual({ status: "WAITING_FOR_DOI", site: "DE", consents: ["NEWSLETTER"] });
    for (let i = 0; i < 3; i++) expect((await put(`${token}/doi`).expect(200)).body).toEqual({ status: "SUBSCRIBED" });
    const changed = { firstName: "Eva", consents: ["DNE", "NEWSLETTER"] };
    expect((await put(token, changed).expect(200)).body).toEqual(changed);
    expect(await read()).toEqual({ status: "SUBSCRIBED", site: "DE", consents: changed.consents });
  });

  it("that has expired is answered with 410", async () => {
    const token = await signUp("old@shop.example");
    const { id = "" } = (await subscriptionOf(db, "old@shop.example")) ?? {};
    await db.updateTable("newsletterToken").set({ expiresAt: 1 }).where("subscriptionId", "=", id).execute();
    expect((await put(`${token}/doi`).expect(410)).body).toMatchObject({ type: "TOKEN_EXPIRED", status: 410 });
  });

  it.each(["x".repeat(32), "x".repeat(101), "%00"])("with an unknown token is not found: %s", async (token) => {
    const answers = [
      request(app).get(`${base}/${token}`),
      put(`${token}/doi`),
      put(token, { firstName: "Eva" }),
      request(app).post(`${base}/${token}/unsubscribe`),
      request(app).post(`${base}/${token}/opened`),
    ];
    for (const answer of answers) expect((await answer.expect(404)).body).toEqual(invalidToken);
  });

  it.each<[string, object]>([
    ["email", { email: "would-have-to-be-confirmed@shop.example" }],
    ["firstName", { firstName: "😀" }],
    ["", {}],
  ])("refuses a change with a wrong field: %j", async (field, changes) => {
    const email = `wrong-${field}@shop.example`;
    const token = await signUp(email);
    const before = await subscriptionOf(db, email);
    const { body } = await put(token, changes).expect(400);
    expect(body.type).toBe("INVALID_REQUEST");
    if (field) expect(body.errors).toEqual([{ field, message: expect.stringMatching(/\S/) }]);
    expect(await subscriptionOf(db, email)).toEqual(before);
  });

  it.each([
    ["as RFC 8058 says", "application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
    ["with nothing", "text/plain", ""],
  ])("ends the subscription in one click %s, without cookie or header", async (what, type, body) => {
    const email = `click-${what.length}@shop.example`;
    await put(`${await signUp(email)}/doi`).expect(200);
    const { unsubscribeToken } = await lastMail(db, email, "welcome");
    await request(app).get(`${base}/${unsubscribeToken}`).expect(404);
    await put(unsubscribeToken, { firstName: "Eve" }).expect(404);
    for (let i = 0; i < 2; i++) {
      const answer = await request(app)
        .post(`${base}/${unsubscribeToken}/unsubscribe`)
        .set({ "Content-Type": type, "Sec-Fetch-Site": "cross-site" })
        .send(body);
      expect([answer.status, answer.body]).toEqual([200, { status: "UNSUBSCRIBED" }]);
    }
    expect(await subscriptionOf(db, email)).toMatchObject({ state: "withdrawn", firstName: null });
    const events = (await recordsOf(db, email)).map(({ event }) => event);
    expect(events).toEqual(["requested", "confirmed", "withdrawn"]);
    expect((await mailsTo(db, email)).map(({ kind }) => kind).toSorted()).toEqual(["confirm", "welcome"]);
  });

  it("records an opening without cookie or header, while the subscription is confirmed", async () => {
    const email = "opens@shop.example";
    const token = await signUp(email);
    const opened = () => request(app).post(`${base}/${token}/opened`);
    const openedAt = async () => (await subscriptionOf(db, email))?.lastOpenedAt;
    expect((await opened().expect(404)).body).toEqual(invalidToken);
    await put(`${token}/doi`).expect(200);
    expect(await openedAt()).toBeNull();
    await request(app).get(`${base}/${token}/opened`).expect(405);
    const before = Date.now();
    expect((await opened().set("Sec-Fetch-Site", "cross-site").expect(200)).body).toEqual({ status: "OPENED" });
    expect(await openedAt()).toBeGreaterThanOrEqual(before);
    const { unsubscribeToken } = await lastMail(db, email, "welcome");
    await request(app).post(`${base}/${unsubscribeToken}/opened`).expect(200);
    await request(app).post(`${base}/${unsubscribeToken}/unsubscribe`).expect(200);
    expect((await opened().expect(404)).body).toEqual(invalidToken);
  });
});
