import { decodeJwt, SignJWT } from "jose";
import request from "supertest";
import { describe, expect, it } from "vitest";
import { minute } from "../../../../../client/rules/time.ts";
import { addAccount, findAccount, lockAccount, removeAccount } from "../../../../../server/accounts/accounts.ts";
import { type Jar, keep } from "../../../../support/cookie-jar.ts";
import { pass, stopTime } from "../../../../support/login-test.ts";
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
const unauthorized = { status: "UNAUTHORIZED" };
const removed = ["StaffAuthToken 0", "CobraAuthToken 0", "PreviewContext 0", "preview 0"];
const ageOf = ({ name, maxAge }: { name: string; maxAge?: number }) => `${name} ${maxAge}`;

stopTime();
await addAccount(db, "staff", { email: user, password });

describe("staff who sign in", () => {
  it("get two HttpOnly credentials and a readable flag", async () => {
    const sent = call(app, `${base}/auth/login`).set("X-Forwarded-Proto", "https").send({ user, password });
    const answer = await sent.expect(200, { status: "SUCCESS" });
    const common = { path: "/", sameSite: "lax", secure: true };
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

  it("end the session that the browser had", async () => {
    const jar = await signIn(app, db);
    await call(app, `${base}/auth/login`, jar).send({ user, password }).expect(200);
    await check(jar).expect(401);
  });

  it("get the same answer when unknown, a customer, locked or with a wrong password", async () => {
    await addAccount(db, "staff", { email: "locked@shop.example", password });
    const locked = await findAccount(db, "staff", "locked@shop.example");
    if (locked) await lockAccount(db, locked.id);
    await addAccount(db, "customer", { email: "customer@shop.example", password });
    const bodies = [];
    for (const sent of [
      { user: "nobody", password },
      { user: "customer@shop.example", password },
      { user: "locked@shop.example", password },
      { user, password: "wrong password" },
    ]) {
      const answer = await call(app, `${base}/auth/login`).send(sent).expect(401);
      expect(cookiesOf(answer)).toEqual([]);
      bodies.push(answer.body);
    }
    expect(bodies).toEqual(Array(4).fill(expect.objectContaining({ type: "UNAUTHORIZED", title: bodies[0]?.title })));
    await call(app, "/service/login/api/v1/login").send({ email: user, password }).expect(401);
  });

  it.each([
    [{ user: 1, password: "" }, ["user", "password"]],
    [{ user, password, role: "admin" }, ["role"]],
  ])("learn the invalid fields: %j", async (body, fields) => {
    const answer = await call(app, `${base}/auth/login`).send(body).expect(400);
    expect(answer.body.errors.map(({ field }: { field: string }) => field)).toEqual(fields);
  });
});

describe("checkauth", () => {
  it("answers with the preview: the present until one is chosen", async () => {
    const jar = await signIn(app, db);
    const none = { status: "SUCCESS", dateTime: new Date().toISOString(), abTestName: "", abTestGroup: "" };
    await check(jar).expect(200, none);
    await check(await choose(app, jar, "2026-12-24T19:00:00+01:00", "B")).expect(200, {
      status: "SUCCESS",
      dateTime: christmas,
      abTestName: "footer-promotion",
      abTestGroup: "B",
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
      const answer = await check(wrong).expect(401, unauthorized);
      expect(readCookies(answer).map(ageOf)).toEqual(removed);
    }
  });

  it.each([
    ["locked", lockAccount],
    ["removed", removeAccount],
  ])("fails for an account that was %s", async (_what, change) => {
    const name = "gone@shop.example";
    const jar = await signIn(app, db, name);
    const member = await findAccount(db, "staff", name);
    await change(db, member?.id ?? "");
    await check(jar).expect(401);
    await removeAccount(db, member?.id ?? "");
  });
});

describe("a renewal", () => {
  const renew = (jar: Jar) => call(app, `${base}/auth/login/renew`, jar);

  it("replaces the credentials and keeps the preview, for twelve hours in all", async () => {
    let jar = await choose(app, await signIn(app, db), christmas);
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      pass(20 * minute);
      const answer = await renew(jar).expect(200, { status: "SUCCESS" });
      expect(readCookies(answer).map(({ name }) => name)).toEqual(["StaffAuthToken", "CobraAuthToken", "preview"]);
      jar = keep(jar, cookiesOf(answer));
      expect((await check(jar).expect(200)).body.dateTime).toBe(christmas);
    }
    pass(20 * minute - 1);
    await check(jar).expect(200);
    pass(1);
    await check(jar).expect(401);
    await renew(jar).expect(401);
  });

  it("is refused half an hour after the last one, with a session that left no preview behind", async () => {
    const jar = await choose(app, await signIn(app, db), christmas);
    pass(30 * minute - 1);
    await check(jar).expect(200);
    pass(1);
    const answer = await renew(jar).expect(401, unauthorized);
    expect(readCookies(answer).map(ageOf)).toEqual(removed);
    const { body } = await check({ ...(await signIn(app, db)), PreviewContext: jar.PreviewContext ?? "" }).expect(200);
    expect(body.dateTime).not.toBe(christmas);
  });
});

it("signing out removes all four cookies and ends the session", async () => {
  const jar = await choose(app, await signIn(app, db), christmas);
  expect(Object.keys(jar).sort()).toEqual(["CobraAuthToken", "PreviewContext", "StaffAuthToken", "preview"]);
  const answer = await call(app, `${base}/auth/logout`, jar).expect(200, { status: "SUCCESS" });
  expect(readCookies(answer).map(ageOf)).toEqual(removed);
  expect(answer.headers["clear-site-data"]).toBe('"cache"');
  await check(jar).expect(401);
  await call(app, `${base}/auth/logout`).expect(200, { status: "SUCCESS" });
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
    const { body } = await check({ ...jar, PreviewContext }).expect(200);
    expect(body.dateTime).not.toBe(christmas);
  }
});

describe("choosing a preview", () => {
  it("sets a signed HttpOnly cookie that expires with the session", async () => {
    const answer = await token(await signIn(app, db), "?test=footer-promotion&group=A").expect(200);
    expect(answer.body).toEqual({ status: "SUCCESS" });
    const [cookie, ...others] = readCookies(answer);
    expect(others).toEqual([]);
    const lasting = { httpOnly: true, path: "/", sameSite: "lax", maxAge: 12 * 3600 };
    expect(cookie).toMatchObject({ name: "PreviewContext", ...lasting });
    const { exp, ...claims } = decodeJwt(cookie?.value ?? "");
    expect(exp).toBe(Math.floor(Date.now() / 1000 + 12 * 3600));
    expect(claims).toMatchObject({ time: Date.parse(christmas), test: "footer-promotion", group: "A" });
  });

  it.each([
    ["?test=footer-promotion", christmas, "group"],
    ["?test=footer-promotion&group=C", christmas, "group"],
    ["?test=footer-promotion&group=A&group=B", christmas, "group"],
    ["?test=&group=A", christmas, "test"],
    ["?test=footer-promotion&group=A", "2019-12-31T00:00:00Z", "test"],
  ])("names the invalid field: %s at %s", async (query, previewDateTime, field) => {
    const answer = await token(await signIn(app, db), query, { previewDateTime }).expect(400);
    const errors = [{ field, message: expect.stringMatching(/\w/) }];
    expect(answer.body).toEqual({ status: "BAD_REQUEST", errors });
    expect(cookiesOf(answer)).toEqual([]);
  });

  it.each([
    ...[{ previewDateTime: "24.12.2026" }, { previewDateTime: "2026-12-24T18:00" }, { previewDateTime: 1 }, {}],
  ])("uses the current time for an invalid one, with one warning: %j", async (body) => {
    const jar = await signIn(app, db);
    logs.length = 0;
    const answer = await token(jar, "?test=&group=", body).expect(200, { status: "SUCCESS" });
    expect((await check(keep(jar, cookiesOf(answer))).expect(200)).body.dateTime).toBe(new Date().toISOString());
    expect(logs.filter(({ level }) => level === 40)).toMatchObject([
      { msg: expect.stringContaining("previewDateTime") },
    ]);
  });

  it("ends the preview with `leave`", async () => {
    const jar = await signIn(app, db);
    const chosen = await choose(app, jar, christmas, "B");
    logs.length = 0;
    const answer = await token(chosen, "?test=footer-promotion&group=C&leave=true", {}).expect(200);
    expect(keep(chosen, cookiesOf(answer))).toEqual(jar);
    expect(logs.filter(({ level }) => level !== 30)).toEqual([]);
  });

  it.each(["?leave=true", "", "?test=footer-promotion"])("needs signed-in staff: %s", async (query) => {
    await token({ preview: "true" }, query).expect(401, unauthorized);
  });

  it("fails when a table is missing, and logs the cause", async () => {
    const store = await openTestStore(deps.logger);
    const broken = await createTestApp({ store, trustProxy: ["loopback"] });
    const jar = await signIn(broken.app, store.db);
    for (const table of ["promotion", "ab_test_group"]) await store.db.schema.dropTable(table).execute();
    const choice = call(broken.app, `${base}/token?test=footer-promotion&group=A`, jar).send({});
    await choice.expect(500, { status: "INTERNAL_ERROR" });
    expect(broken.logs.filter(({ msg }) => msg === "database statement failed")).toHaveLength(1);
  });
});

it.each(["auth/login", "auth/login/renew", "auth/logout", "token", "share"])(
  "a call is refused without CSRF header or same-origin evidence: %s",
  async (path) => {
    const jar = await signIn(app, db);
    for (const headers of [{ "Sec-Fetch-Site": "same-origin" }, { "X-hunter-csrf": "1" }]) {
      const answer = await call(app, `${base}/${path}`, jar, headers).send({ user, password }).expect(403);
      expect([answer.body.type, cookiesOf(answer)]).toEqual(["FORBIDDEN", []]);
    }
    await check(jar).expect(200);
  },
);

it("the log has no password or token", async () => {
  logs.length = 0;
  const { preview: _, ...secrets } = await choose(app, await signIn(app, db), christmas);
  const text = JSON.stringify(logs);
  expect(text).toContain(`${base}/token`);
  for (const secret of [user, password, ...Object.values(secrets)]) expect(text).not.toContain(secret);
});
