import request from "supertest";
import { describe, expect, it } from "vitest";
import { newAddress } from "../../../support/new-address.ts";
import { lastMail, mailsTo, recordsOf, signUpOf, subscriptionOf } from "../../../support/newsletter-test.ts";
import { onePerVariant } from "../../../support/one-per-variant.ts";
import { createTestApp } from "../../../support/test-app.ts";

// The tests' own address is that of a back-office server here, so that every visitor can have another one.
const { app, deps, logs } = await createTestApp({ originalAddressFrom: ["127.0.0.0/8", "::1"] });
const { db } = deps.store;
const bases = ["internal", "private"].map((part) => `/service/newsletter/api/${part}/newsletter-subscribers`);
const [base = ""] = bases;
const own = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
const accepted = { status: "ACCEPTED" };
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

const variants = onePerVariant(({ newsletter: { salutation, names, legals } }) => [salutation, names, legals]);

describe.each(bases)("POST %s", (path) => {
  it.each(variants)("takes a sign-up on $site, named by the header or the host", async ({ site, localHost }) => {
    const named = `named@${site.toLowerCase().replace("_", "-")}.${path.split("/")[4]}.example`;
    const answer = await post(signUpOf(named), { "X-Site": site }, path);
    expect([answer.status, answer.body]).toEqual([202, accepted]);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.headers).not.toHaveProperty("set-cookie");
    expect(await subscriptionOf(db, named, site)).toMatchObject({ state: "pending" });

    const hosted = named.replace("named@", "hosted@");
    const { "X-hunter-csrf": csrf } = own;
    await request(app)
      .post(path)
      .set({ Host: localHost, "X-hunter-csrf": csrf, Origin: `http://${localHost}` })
      .set("X-Original-Address", newAddress())
      .send(signUpOf(hosted))
      .expect(202);
    expect(await subscriptionOf(db, hosted, site)).toMatchObject({ state: "pending" });
  });
});

describe("a sign-up", () => {
  it("needs nothing but an address where the country asks for no more", async () => {
    await post({ email: "plain@shop.example" }).expect(202);
    expect(await subscriptionOf(db, "plain@shop.example")).toMatchObject({ consents: "[]", origin: "NEWSLETTER" });
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

  it.each([["MR"], ["MRS"], ["COMPANY"], ["DIVERS"]])("takes the salutation %s", async (salutation) => {
    await post({ email: `${salutation}@shop.example`, salutation, origin: "SHOPPING_CART", originAddition: "" }).expect(
      202,
    );
    expect(await subscriptionOf(db, `${salutation}@shop.example`)).toMatchObject({
      salutation,
      origin: "SHOPPING_CART",
      originAddition: null,
    });
  });

  it("may say what the newsletter is to be about, which its proof has, and which ends with the subscription", async () => {
    const email = "about@shop.example";
    const categories = ["WOMEN_FASHION", "MEN_FASHION", "SPORT", "LIVING_FURNITURE", "HOBBY", "KIDS", "KITCHEN"];
    const all = [...categories, "SLEEPING", "DISCOUNTS", "COFFEE", "MOBILE", "CARD", "STORE"];
    expect((await post({ email, categories: ["TEA"] }).expect(400)).body.errors).toMatchObject([
      { field: "categories" },
    ]);
    await post({ email, categories: all }).expect(202);
    expect(JSON.parse((await subscriptionOf(db, email))?.categories ?? "")).toEqual(all);
    const [record] = await recordsOf(db, email);
    expect(JSON.parse(record?.declaration ?? "")).toMatchObject({ email, categories: all });
    const { subscriberToken } = await lastMail(db, email, "confirm");
    await request(app).post(`${base}/${subscriberToken}/unsubscribe`).expect(200);
    expect(await subscriptionOf(db, email)).toMatchObject({ categories: null });
  });

  it.each<[string, unknown]>([
    ["number", 1],
    ["null", null],
    ["list", ["a@b.example"]],
    ["object", { a: 1 }],
    ["empty", ""],
    ["blank", "  "],
    ["no address", "address"],
    ["no domain", "a@"],
    ["no dot", "a@localhost"],
    ["two addresses", "a@b.example,c@d.example"],
    ["a line break", "a@b.example\r\nBcc: c@d.example"],
    ["a NUL", "a\0@b.example"],
    ["too long", `${"a".repeat(250)}@b.example`],
    ["a lone surrogate", "\ud800@b.example"],
    ["a name", "Ada <a@b.example>"],
    ["a script", "<script>@b.example"],
  ])("with a wrong address is refused by that type and stored nowhere: %s", async (_what, email) => {
    const before = await db.selectFrom("newsletterSubscription").select("id").execute();
    const { status, body } = await post({ ...signUpOf(""), email });
    expect([status, body]).toEqual([
      400,
      {
        type: "INVALID_EMAIL",
        title: expect.any(String),
        status: 400,
        errors: [{ field: "email", message: expect.stringMatching(/\S/) }],
      },
    ]);
    expect(await db.selectFrom("newsletterSubscription").select("id").execute()).toHaveLength(before.length);
  });

  it("without an address is refused by that type", async () => {
    for (const answer of [post({}), post(undefined).type("json")]) {
      expect((await answer.expect(400)).body).toMatchObject({ type: "INVALID_EMAIL", errors: [{ field: "email" }] });
    }
  });

  it.each<[string, string]>([
    ["salutation", '"FRAU"'],
    ["salutation", '"mr"'],
    ["salutation", '""'],
    ["salutation", "null"],
    ["salutation", "1"],
    ["firstName", "1"],
    ["firstName", "null"],
    ["firstName", '"x😀"'],
    ["firstName", '"a\\u0000b"'],
    ["firstName", '"a\\u202eb"'],
    ["firstName", '"shop.example"'],
    ["firstName", '"https://x"'],
    ["firstName", '"<b>"'],
    ["firstName", `"${"a".repeat(41)}"`],
    ["lastName", '{"a":1}'],
    ["lastName", '"1️⃣"'],
    ["lastName", `"${"ä".repeat(41)}"`],
    ["consents", '"DNE"'],
    ["consents", '["ALL"]'],
    ["consents", '["DNE","DNE"]'],
    ["consents", "{}"],
    ["consents", "[null]"],
    ["origin", '"FOOTER"'],
    ["origin", "null"],
    ["originAddition", `"${"a".repeat(65)}"`],
    ["originAddition", '"<b>"'],
    ["originAddition", '"a\\nb"'],
    ["originAddition", "7"],
    ["unknown", "1"],
    ["__proto__", '{"isAdmin":true}'],
    ["constructor", '{"prototype":{}}'],
    ["toString", "1"],
    ["a/b c", "1"],
    ["", "1"],
  ])("with a wrong %s is refused by its name, and stored nowhere: %s", async (field, value) => {
    const sent = `{"email":"never@shop.example",${JSON.stringify(field)}:${value}}`;
    const { status, body } = await post(undefined).type("json").send(sent);
    expect([status, body.type, body.status]).toEqual([400, "INVALID_REQUEST", 400]);
    expect(body.errors).toEqual([{ field, message: expect.stringMatching(/\S/) }]);
    expect(await subscriptionOf(db, "never@shop.example")).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty("isAdmin");
  });

  it.each([
    ["no JSON", "application/json", "{"],
    ["text", "application/json", '"a@b.example"'],
    ["a list", "application/json", "[]"],
    ["null", "application/json", "null"],
    ["a form", "application/x-www-form-urlencoded", "email=a@b.example"],
    ["plain text", "text/plain", '{"email":"a@b.example"}'],
    ["another charset", "application/json; charset=utf-7", '{"email":"a@b.example"}'],
    ["UTF-16", "application/json; charset=utf-16", '{"email":"a@b.example"}'],
    ["more than 2 KB", "application/json", JSON.stringify({ email: "a@b.example", firstName: "a".repeat(2048) })],
  ])("with a body that is %s is refused", async (_what, type, sent) => {
    const { status, body } = await post(undefined).set("Content-Type", type).send(sent);
    expect([status, body.type]).toEqual([400, "INVALID_REQUEST"]);
    expect(await subscriptionOf(db, "a@b.example")).toBeUndefined();
  });

  it("that is compressed, or no UTF-8, is refused", async () => {
    await post(undefined)
      .set({ "Content-Type": "application/json", "Content-Encoding": "gzip" })
      .send("{}")
      .expect(400);
    const sent = Buffer.concat([
      Buffer.from('{"email":"a@b.example","firstName":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    const { body } = await post(undefined)
      .set("Content-Type", "application/json")
      .serialize((value: unknown) => value as string)
      .send(sent)
      .expect(400);
    expect(body).toMatchObject({ type: "INVALID_REQUEST" });
  });

  it.each(variants)(
    "on $site is refused in the words of the form when something required is missing",
    async ({ site, locale, newsletter }) => {
      const { body, status } = await post({ email: `bare-${site.toLowerCase()}@shop.example` }, { "X-Site": site });
      const required = [
        ...(newsletter.salutation === "required" ? [["salutation", "error.salutation.required"] as const] : []),
        ...(newsletter.names === "required"
          ? [["firstName", "error.firstName.required"] as const, ["lastName", "error.lastName.required"] as const]
          : []),
        ...(newsletter.legals ? [["consents", "error.legals.required"] as const] : []),
      ];
      const text = deps.texts.translator(locale, "newsletter");
      if (required.length === 0) expect(status).toBe(202);
      else {
        expect(body).toMatchObject({ type: "INVALID_REQUEST", status: 400 });
        expect(body.errors).toEqual(required.map(([field, key]) => ({ field, message: text(key) })));
      }
    },
  );

  it("for an unknown site is refused by the field's name", async () => {
    expect((await post(signUpOf("x@shop.example"), { "X-Site": "XX" }).expect(400)).body).toMatchObject({
      type: "INVALID_REQUEST",
      errors: [{ field: "site" }],
    });
  });

  it("too many from one network are refused for a while", async () => {
    const from = { "X-Original-Address": "192.0.2.7" };
    await Promise.all(Array.from({ length: 60 }, (_, i) => post(signUpOf(`many-${i}@shop.example`), from).expect(202)));
    const { body, headers } = await post(signUpOf("many-60@shop.example"), from).expect(429);
    expect(body).toEqual({ type: "RATE_LIMITED", title: "too many sign-ups", status: 429 });
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60);
    await post(signUpOf("other@shop.example")).expect(202);
  });

  it("counts for the peer's network when that isn't believed to call for others", async () => {
    const { app: direct } = await createTestApp();
    const ask = async (i: number) => {
      const address = newAddress();
      const answer = await request(direct)
        .post(base)
        .set({ ...own, "X-Site": "DE", "X-Original-Address": address, "X-Forwarded-For": address })
        .send(signUpOf(`direct-${i}@shop.example`));
      return answer.status;
    };
    const statuses = await Promise.all(Array.from({ length: 61 }, (_, i) => ask(i)));
    expect(statuses.toSorted().slice(-2)).toEqual([202, 429]);
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
  const calls = [
    ["post", base],
    ["put", `${base}/${"x".repeat(32)}`],
    ["put", `${base}/${"x".repeat(32)}/doi`],
  ] as const;
  const evidence: [Record<string, string>, boolean][] = [
    [{}, false],
    [{ "X-hunter-csrf": "1" }, false],
    [{ "Sec-Fetch-Site": "same-origin" }, false],
    [{ "X-hunter-csrf": " ", "Sec-Fetch-Site": "same-origin" }, false],
    [{ "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" }, true],
    [{ "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-site" }, false],
    [{ "X-hunter-csrf": "1", "Sec-Fetch-Site": "cross-site" }, false],
    [{ "X-hunter-csrf": "1", "Sec-Fetch-Site": "none" }, false],
    [{ "X-hunter-csrf": "1", "Sec-Fetch-Site": "cross-site", Origin: "http://de.localhost" }, false],
    [{ "X-hunter-csrf": "1", Origin: "http://de.localhost" }, true],
    [{ "X-hunter-csrf": "1", Origin: "http://at.localhost" }, false],
    [{ "X-hunter-csrf": "1", Origin: "null" }, false],
  ];
  it.each(
    calls.flatMap(([method, path]) => evidence.map(([headers, allowed]) => ({ method, path, headers, allowed }))),
  )(
    "needs the header and to come from the same origin: $method $path $headers",
    async ({ method, path, headers, allowed }) => {
      const answer = await request(app)
        [method](path)
        .set({ Host: "de.localhost", ...headers })
        .send({});
      if (allowed) expect([400, 404]).toContain(answer.status);
      else expect([answer.status, answer.body.type]).toEqual([403, "FORBIDDEN"]);
    },
  );
});

describe("the link of a mail", () => {
  it("tells, confirms and changes its sign-up", async () => {
    const token = await signUp("link@shop.example");
    const read = async () => (await request(app).get(`${base}/${token}`).expect(200)).body;
    expect(await read()).toEqual({ status: "WAITING_FOR_DOI", site: "DE", consents: ["NEWSLETTER"] });
    for (let i = 0; i < 3; i++) expect((await put(`${token}/doi`).expect(200)).body).toEqual({ status: "SUBSCRIBED" });
    const changed = { firstName: "Eva", consents: ["DNE", "NEWSLETTER"] };
    expect((await put(token, changed).expect(200)).body).toEqual(changed);
    expect(await read()).toEqual({ status: "SUBSCRIBED", site: "DE", consents: changed.consents });
  });

  it("confirms nothing by being looked at", async () => {
    const token = await signUp("looked@shop.example");
    for (let i = 0; i < 20; i++) {
      for (const path of [token, `${token}/doi`, `${token}/unsubscribe`]) {
        await request(app).get(`${base}/${path}`);
        await request(app).head(`${base}/${path}`);
      }
    }
    expect(await subscriptionOf(db, "looked@shop.example")).toMatchObject({ state: "pending" });
  });

  it("that is too old is gone", async () => {
    const token = await signUp("old@shop.example");
    const { id = "" } = (await subscriptionOf(db, "old@shop.example")) ?? {};
    await db.updateTable("newsletterToken").set({ expiresAt: 1 }).where("subscriptionId", "=", id).execute();
    expect((await put(`${token}/doi`).expect(410)).body).toMatchObject({ type: "TOKEN_EXPIRED", status: 410 });
  });

  it.each(["x".repeat(32), "short", "x".repeat(101), "%00", "a%20b", "..%2f..", "'--"])(
    "that isn't one is not found: %s",
    async (token) => {
      const answers = [
        request(app).get(`${base}/${token}`),
        put(`${token}/doi`),
        put(token, { firstName: "Eva" }),
        request(app).post(`${base}/${token}/unsubscribe`),
        request(app).post(`${base}/${token}/opened`),
      ];
      for (const answer of answers) expect((await answer.expect(404)).body).toEqual(invalidToken);
    },
  );

  it.each<[string, object]>([
    ["email", { email: "new@shop.example" }],
    ["firstName", { firstName: "😀" }],
    ["salutation", { salutation: "X" }],
    ["consents", { consents: ["ALL"] }],
    ["unknown", { unknown: 1 }],
  ])("changes no %s that is wrong", async (field, changes) => {
    const token = await signUp(`wrong-${field}@shop.example`);
    const before = await subscriptionOf(db, `wrong-${field}@shop.example`);
    expect((await put(token, changes).expect(400)).body.errors).toEqual([
      { field, message: expect.stringMatching(/\S/) },
    ]);
    expect(await subscriptionOf(db, `wrong-${field}@shop.example`)).toEqual(before);
  });

  it("refuses a change of nothing", async () => {
    await put(await signUp("nothing@shop.example"), {}).expect(400);
  });

  it("takes no new address, which would have to be confirmed", async () => {
    const answer = await put(await signUp("stays@shop.example"), { email: "other@shop.example" }).expect(400);
    expect(answer.body).toMatchObject({ type: "INVALID_REQUEST", errors: [{ field: "email" }] });
  });

  it.each([
    ["as RFC 8058 says", "application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"],
    [
      "as a multipart form",
      "multipart/form-data; boundary=x",
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
    ],
    ["with JSON that is none", "application/json", "{"],
    ["with nothing", "text/plain", ""],
  ])("ends the subscription in one click %s, without cookie or header", async (what, type, body) => {
    const email = `click-${what.length}@shop.example`;
    await put(`${await signUp(email)}/doi`).expect(200);
    const { unsubscribeToken } = await lastMail(db, email, "welcome");
    for (let i = 0; i < 2; i++) {
      const answer = await request(app)
        .post(`${base}/${unsubscribeToken}/unsubscribe`)
        .set({ "Content-Type": type, "Sec-Fetch-Site": "cross-site" })
        .send(body);
      expect([answer.status, answer.body]).toEqual([200, { status: "UNSUBSCRIBED" }]);
    }
    expect(await subscriptionOf(db, email)).toMatchObject({ state: "withdrawn" });
    expect((await mailsTo(db, email)).map(({ kind }) => kind).toSorted()).toEqual(["confirm", "welcome"]);
  });

  it("notes an opening for who sends the newsletter, without cookie or header, while the subscription is confirmed", async () => {
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
