import { decodeJwt, SignJWT } from "jose";
import request from "supertest";
import { describe, expect, it } from "vitest";
import {
  addAccount,
  findAccount,
  lockAccount,
  removeAccount,
  unlockAccount,
} from "../../../../../server/accounts/accounts.ts";
import { type Jar, keep } from "../../../../support/login-test.ts";
import {
  base,
  call,
  choose,
  christmas,
  cookiesOf,
  header,
  password,
  readCookies,
  signIn,
  user,
} from "../../../../support/preview-test.ts";
import { createTestApp } from "../../../../support/test-app.ts";
import { openTestStore } from "../../../../support/test-store.ts";

const { app, deps, logs } = await createTestApp({ trustProxy: ["loopback"] });
const { db } = deps.store;
const check = (jar: Jar) => request(app).get(`${base}/auth/checkauth`).set("Cookie", header(jar));
const token = (jar: Jar, query: string, body: object = { previewDateTime: christmas }) =>
  call(app, `${base}/token${query}`, jar).send(body);

describe("staff who sign in", () => {
  it("get two HttpOnly credentials and a readable flag", async () => {
    await addAccount(db, "staff", { email: user, password });
    const answer = await call(app, `${base}/auth/login`).send({ user, password }).expect(200, { status: "SUCCESS" });
    const common = { path: "/", sameSite: "lax" };
    const lasting = { ...common, maxAge: 1800 };
    expect(readCookies(answer)).toEqual([
      { name: "StaffAuthToken", value: expect.stringMatching(/.{100}/), httpOnly: true, ...lasting },
      { name: "CobraAuthToken", value: expect.stringMatching(/.{100}/), httpOnly: true, ...lasting },
      { name: "preview", value: "true", ...lasting },
      { name: "PreviewContext", value: "", httpOnly: true, maxAge: 0, expires: new Date(0), ...common },
      { name: "KnownStaffDevice", value: expect.any(String), httpOnly: true, ...common, maxAge: 400 * 24 * 60 * 60 },
    ]);
    expect(answer.headers["cache-control"]).toBe("no-store");
  });

  it("get Secure cookies over HTTPS", async () => {
    await addAccount(db, "staff", { email: user, password });
    const answer = await call(app, `${base}/auth/login`).set("X-Forwarded-Proto", "https").send({ user, password });
    for (const cookie of readCookies(answer)) expect(cookie.secure).toBe(true);
  });

  it("get the same answer when unknown, locked or with a wrong password", async () => {
    await addAccount(db, "staff", { email: "locked@shop.example", password });
    const locked = await findAccount(db, "staff", "locked@shop.example");
    if (locked) await lockAccount(db, locked.id);
    await addAccount(db, "staff", { email: user, password });
    const bodies = [];
    for (const body of [
      { user: "nobody", password },
      { user, password: "wrong password" },
      { user: "locked@shop.example", password },
    ]) {
      const answer = await call(app, `${base}/auth/login`).send(body).expect(401);
      expect(cookiesOf(answer)).toEqual([]);
      bodies.push(answer.body);
    }
    expect(bodies[0]).toMatchObject({ type: "UNAUTHORIZED", status: 401 });
    expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]]);
  });

  it.each([
    [{}, ["user", "password"]],
    [{ user: 1, password: "" }, ["user", "password"]],
    [{ user, password, role: "admin" }, ["role"]],
  ])("are told the invalid fields: %j", async (body, fields) => {
    const answer = await call(app, `${base}/auth/login`).send(body).expect(400);
    const named: { field: string }[] = answer.body.errors;
    expect(named.map(({ field }) => field)).toEqual(fields);
  });

  it("aren't customers, nor are customers staff", async () => {
    await call(app, "/service/login/api/v1/login").send({ email: user, password }).expect(401);
  });
});

describe("checkauth", () => {
  it("answers with the preview: the present until one is chosen", async () => {
    const before = Date.now();
    const jar = await signIn(app, db);
    const { body } = await check(jar).expect(200);
    expect(body).toEqual({ status: "SUCCESS", dateTime: expect.any(String), abTestName: "", abTestGroup: "" });
    expect(Date.parse(body.dateTime)).toBeGreaterThanOrEqual(before);
    await check(await choose(app, jar, "2026-12-24T19:00:00+01:00", "B")).expect(200, {
      ...{ status: "SUCCESS", dateTime: christmas, abTestName: "footer-promotion", abTestGroup: "B" },
    });
  });

  it("needs both credentials of one session, and removes invalid ones", async () => {
    const jar = await signIn(app, db);
    const other = await signIn(app, db, "other@shop.example");
    const { StaffAuthToken = "", CobraAuthToken = "", preview = "" } = jar;
    for (const wrong of [
      {},
      { StaffAuthToken, preview },
      { CobraAuthToken, preview },
      { StaffAuthToken: CobraAuthToken, CobraAuthToken: StaffAuthToken },
      { StaffAuthToken, CobraAuthToken: other.CobraAuthToken ?? "" },
      { StaffAuthToken: `${StaffAuthToken.slice(0, -9)}AAAAAAAAA`, CobraAuthToken },
      { StaffAuthToken: "j:{}", CobraAuthToken: "j:{}" },
    ]) {
      const answer = await check(wrong).expect(401, { status: "UNAUTHORIZED" });
      expect(keep({ ...jar, PreviewContext: "x" }, cookiesOf(answer))).toEqual({});
    }
  });

  it("fails for locked and removed accounts", async () => {
    const name = "gone@shop.example";
    const jar = await signIn(app, db, name);
    const member = await findAccount(db, "staff", name);
    if (!member) throw new Error("not added");
    await lockAccount(db, member.id);
    await check(jar).expect(401);
    await unlockAccount(db, member.id);
    await check(jar).expect(401);
    const again = await signIn(app, db, name);
    await removeAccount(db, member.id);
    await check(again).expect(401);
  });
});

describe("a renewal", () => {
  it("replaces the credentials and keeps the preview", async () => {
    const jar = await choose(app, await signIn(app, db), christmas);
    const answer = await call(app, `${base}/auth/login/renew`, jar).expect(200, { status: "SUCCESS" });
    expect(readCookies(answer).map(({ name }) => name)).toEqual(["StaffAuthToken", "CobraAuthToken", "preview"]);
    expect((await check(keep(jar, cookiesOf(answer))).expect(200)).body.dateTime).toBe(christmas);
  });

  it("is refused without a session, and removes the cookies", async () => {
    const answer = await call(app, `${base}/auth/login/renew`, { StaffAuthToken: "x" });
    expect([answer.status, answer.body]).toEqual([401, { status: "UNAUTHORIZED" }]);
    expect(readCookies(answer).map(({ name, maxAge }) => `${name} ${maxAge}`)).toEqual([
      ...["StaffAuthToken 0", "CobraAuthToken 0", "PreviewContext 0", "preview 0"],
    ]);
  });
});

describe("signing out", () => {
  it("removes all four cookies and ends the session, repeatedly", async () => {
    const jar = await choose(app, await signIn(app, db), christmas);
    expect(Object.keys(jar).sort()).toEqual(["CobraAuthToken", "PreviewContext", "StaffAuthToken", "preview"]);
    const answer = await call(app, `${base}/auth/logout`, jar).expect(200, { status: "SUCCESS" });
    expect(keep(jar, cookiesOf(answer))).toEqual({});
    expect(answer.headers["clear-site-data"]).toBe('"cache"');
    await check(jar).expect(401);
    await call(app, `${base}/auth/logout`).expect(200, { status: "SUCCESS" });
  });
});

it("a preview context of another session or signer is ignored", async () => {
  const jar = await signIn(app, db);
  const foreign = await choose(app, await signIn(app, db, "other@shop.example"), christmas);
  const forged = await new SignJWT({ time: Date.parse(christmas) })
    .setProtectedHeader({ alg: "HS256", typ: "preview-context+jwt", kid: "0" })
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode("a secret of somebody else, long enough"));
  for (const PreviewContext of [foreign.PreviewContext ?? "", forged, "x.y.z", jar.StaffAuthToken ?? ""]) {
    const answer = await check({ ...jar, PreviewContext }).expect(200);
    expect(answer.body.dateTime).not.toBe(christmas);
    expect(keep({ ...jar, PreviewContext }, cookiesOf(answer))).toEqual(jar);
  }
});

describe("choosing a preview", () => {
  it("sets a signed HttpOnly cookie that expires with the session", async () => {
    const jar = await signIn(app, db);
    const answer = await token(jar, "?test=footer-promotion&group=A").expect(200, { status: "SUCCESS" });
    const [cookie, ...others] = readCookies(answer);
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ name: "PreviewContext", httpOnly: true, path: "/", sameSite: "lax" });
    expect(cookie?.maxAge).toBeGreaterThan(11 * 3600);
    const { exp = 0, ...claims } = decodeJwt(cookie?.value ?? "");
    expect(exp - Date.now() / 1000).toBeGreaterThan(11 * 3600);
    expect(claims).toMatchObject({ time: Date.parse(christmas), test: "footer-promotion", group: "A" });
  });

  it.each([
    ["?test=footer-promotion", "group"],
    ["?test=footer-promotion&group=", "group"],
    ["?test=footer-promotion&group=C", "group"],
    ["?test=footer-promotion&group=A&group=B", "group"],
    ["?test=nothing&group=A", "test"],
    ["?group=A", "test"],
    ["?test=&group=A", "test"],
  ])("names the invalid field: %s", async (query, field) => {
    const answer = await token(await signIn(app, db), query);
    expect([answer.status, answer.body]).toEqual([
      400,
      { status: "BAD_REQUEST", errors: [{ field, message: expect.stringMatching(/\w/) }] },
    ]);
    expect(cookiesOf(answer)).toEqual([]);
  });

  it("is refused for a test that isn't active at that time", async () => {
    const body = { previewDateTime: "2019-12-31T00:00:00Z" };
    await token(await signIn(app, db), "?test=footer-promotion&group=A", body).expect(400);
  });

  it.each([["?test=&group="], [""]])("works without a test: %s", async (query) => {
    await token(await signIn(app, db), query).expect(200, { status: "SUCCESS" });
  });

  it.each([
    [{ previewDateTime: "24.12.2026" }],
    [{ previewDateTime: "2026-12-24T18:00" }],
    [{ previewDateTime: 1 }],
    [{ previewDateTime: "null" }],
    [{ previewDateTime: null }],
    [{}],
  ])("uses the current time for an invalid one, with one warning: %j", async (body) => {
    const jar = await signIn(app, db);
    logs.length = 0;
    const before = Date.now();
    const answer = await token(jar, "", body).expect(200, { status: "SUCCESS" });
    const { dateTime } = (await check(keep(jar, cookiesOf(answer))).expect(200)).body;
    expect(Date.parse(dateTime)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(dateTime)).toBeLessThanOrEqual(Date.now());
    expect(logs.filter(({ level }) => level === 40)).toEqual([
      expect.objectContaining({ msg: expect.stringContaining("previewDateTime") }),
    ]);
  });

  it.each([
    ["?leave=true", { previewDateTime: christmas }],
    ["?test=footer-promotion&group=B&leave=true", {}],
  ])("ends the preview with `leave`: %s", async (query, body) => {
    const jar = await signIn(app, db);
    const chosen = await choose(app, jar, christmas, "B");
    logs.length = 0;
    const answer = await token(chosen, query, body).expect(200, { status: "SUCCESS" });
    expect(keep(chosen, cookiesOf(answer))).toEqual(jar);
    expect(logs.filter(({ level }) => level !== 30)).toEqual([]);
  });

  it("needs signed-in staff", async () => {
    await token({}, "?leave=true").expect(401, { status: "UNAUTHORIZED" });
    await token({}, "").expect(401, { status: "UNAUTHORIZED" });
    await token({ preview: "true" }, "?test=footer-promotion").expect(401, { status: "UNAUTHORIZED" });
  });

  it("is refused for a body that isn't JSON", async () => {
    const answer = call(app, `${base}/token`, await signIn(app, db))
      .type("json")
      .send("{");
    await answer.expect(400, { status: "BAD_REQUEST" });
  });

  it("fails when a table is missing, and logs the cause", async () => {
    const store = await openTestStore(deps.logger);
    const broken = await createTestApp({ store, trustProxy: ["loopback"] });
    const jar = await signIn(broken.app, store.db);
    for (const table of ["promotion", "ab_test_group"]) await store.db.schema.dropTable(table).execute();
    const answer = call(broken.app, `${base}/token?test=footer-promotion&group=A`, jar).send({
      previewDateTime: christmas,
    });
    await answer.expect(500, { status: "INTERNAL_ERROR" });
    expect(broken.logs.filter(({ msg }) => msg === "database statement failed")).toHaveLength(1);
  });
});

describe("a call that changes something", () => {
  it.each(["auth/login", "auth/login/renew", "auth/logout", "token", "share"])(
    "is refused without CSRF header and same-origin evidence: %s",
    async (path) => {
      const jar = await signIn(app, db);
      for (const headers of [
        {},
        { "X-hunter-csrf": "1" },
        { "Sec-Fetch-Site": "same-origin" },
        { "X-hunter-csrf": "1", "Sec-Fetch-Site": "cross-site" },
        { "X-hunter-csrf": "1", Origin: "https://evil.example" },
      ]) {
        const answer = await call(app, `${base}/${path}`, jar, headers).send({ user, password }).expect(403);
        expect(answer.body.type).toBe("FORBIDDEN");
        expect(cookiesOf(answer)).toEqual([]);
      }
      await check(jar).expect(200);
    },
  );
});

it("no password or token is in the log", async () => {
  logs.length = 0;
  const jar = await choose(app, await signIn(app, db), christmas);
  const { preview: _, ...secrets } = jar;
  const text = JSON.stringify(logs);
  expect(text).toContain(`${base}/token`);
  for (const secret of [user, password, ...Object.values(secrets)]) expect(text).not.toContain(secret);
});
