import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { day, hour, minute, second } from "../../../../../client/rules/time.ts";
import { type Jar, keep } from "../../../../support/cookie-jar.ts";
import {
  callerWith,
  clockOf,
  email,
  openLogin,
  pass,
  password,
  renewed,
  signIn,
} from "../../../../support/login-test.ts";

const bench = await openLogin();
const { login } = bench;
const secondsIn = (time: number) => Math.floor((Date.now() + time) / second);
const isSignedIn = async (jar: Jar) => (await login.identify(callerWith(jar))) !== undefined;
const ended = { status: "ended", jar: {} };

describe("a session", () => {
  it("ends after 30 minutes without a renewal, which is due after 10", async () => {
    const jar = await signIn(bench);
    expect(clockOf(jar)).toEqual({ exp: secondsIn(30 * minute), ren: secondsIn(10 * minute) });
    pass(29 * minute);
    expect(await isSignedIn(jar)).toBe(true);
    pass(2 * minute);
    expect(await isSignedIn(jar)).toBe(false);
    expect(await renewed(bench, jar)).toEqual(ended);
  });

  it("ends after 12 hours, and the last renewal says so", async () => {
    let jar = await signIn(bench);
    const statuses: string[] = [];
    for (let passed = 0; passed < 12 * hour; passed += 25 * minute) {
      pass(25 * minute);
      const { status, jar: next } = await renewed(bench, jar);
      statuses.push(status);
      jar = next;
    }
    expect(statuses).toEqual([...Array(27).fill("renewed"), "last", "ended"]);
    expect(jar).toEqual({});
  });

  it("lasts two weeks for customers who stay signed in, and 90 days with renewals", async () => {
    let jar = await signIn(bench, { stayLoggedIn: true });
    const clock = { exp: secondsIn(14 * day), ren: secondsIn(10 * minute), lid: clockOf(jar).lid };
    expect(clockOf(jar)).toEqual({ ...clock, lid: expect.stringMatching(/\S/) });
    const statuses: string[] = [];
    for (let passed = 0; passed < 91 * day; passed += 13 * day) {
      pass(13 * day);
      expect(await isSignedIn(jar)).toBe(passed < 78 * day);
      const { status, jar: next } = await renewed(bench, jar);
      statuses.push(status);
      if (status === "renewed") expect(clockOf(next).lid).toBe(clock.lid);
      jar = next;
    }
    expect(statuses).toEqual([...Array(5).fill("renewed"), "last", "ended"]);
    const unused = await signIn(bench, { stayLoggedIn: true });
    pass(15 * day);
    expect(await renewed(bench, unused)).toEqual(ended);
  });

  it.each([false, true])("ends at the logout, also for credentials of a renewal (stay: %s)", async (stayLoggedIn) => {
    const jar = await signIn(bench, { stayLoggedIn });
    const before = await renewed(bench, jar);
    const parallel = Array.from({ length: 5 }, () => renewed(bench, jar));
    expect(keep(jar, await login.logout(callerWith(jar)))).toEqual({});
    for (const { jar: late } of await Promise.all(parallel)) expect(await isSignedIn(late)).toBe(false);
    for (const left of [jar, before.jar]) expect(await renewed(bench, left)).toEqual(ended);
  });

  it("ends when somebody signs in again in the same browser", async () => {
    const jar = await signIn(bench, { stayLoggedIn: true });
    const result = await login.login({ email, password }, callerWith(jar));
    if (result.status !== "success") throw new Error(result.status);
    expect(Object.keys(keep(jar, result.cookies)).sort()).toEqual(["LoginToken", "login"]);
    expect(await isSignedIn(jar)).toBe(false);
  });

  it("isn't proved by a token of another purpose", async () => {
    const { LoginToken = "", login: credential = "", LongtermToken = "" } = await signIn(bench, { stayLoggedIn: true });
    for (const wrong of [LoginToken, LongtermToken]) expect(await isSignedIn({ login: wrong })).toBe(false);
    for (const wrong of [LoginToken, credential]) expect(await renewed(bench, { LongtermToken: wrong })).toEqual(ended);
  });
});

describe("a used credential", () => {
  it("remains valid for ten seconds, in which it isn't replaced again", async () => {
    const first = await signIn(bench, { stayLoggedIn: true });
    const { jar: next } = await renewed(bench, first);
    expect(next.LongtermToken).not.toBe(first.LongtermToken);
    pass(5 * second);
    const { jar: third } = await renewed(bench, next);
    pass(5 * second - 1);
    expect(await isSignedIn(first)).toBe(true);
    const { status, jar: parallel } = await renewed(bench, first);
    expect(status).toBe("renewed");
    pass(minute);
    for (const jar of [parallel, next, third]) expect((await renewed(bench, jar)).status).toBe("renewed");
  });

  it.each([true, false])(
    "remains valid while the answer with the next one is lost (stay: %s)",
    async (stayLoggedIn) => {
      const jar = await signIn(bench, { stayLoggedIn });
      for (let lost = 0; lost < 3; lost += 1) {
        expect((await renewed(bench, jar)).status).toBe("renewed");
        pass(minute);
      }
      const { jar: next } = await renewed(bench, jar);
      pass(10 * minute);
      expect([await isSignedIn(jar), await isSignedIn(next)]).toEqual([true, true]);
      pass(10 * second);
      expect([await isSignedIn(jar), await isSignedIn(next)]).toEqual([false, true]);
      expect(bench.events).toEqual([]);
    },
  );

  it.each([
    [true, ["login", "LongtermToken"]],
    [true, ["login"]],
    [true, ["LongtermToken"]],
    [false, ["login"]],
  ])("ends the session when it is reused later, which is reported once (stay: %s): %j", async (stayLoggedIn, names) => {
    const jar = await signIn(bench, { stayLoggedIn });
    const stolen = Object.fromEntries(names.map((name) => [name, jar[name] ?? ""]));
    const { jar: next } = await renewed(bench, jar);
    expect(await isSignedIn(next)).toBe(true);
    pass(10 * second);
    expect([await isSignedIn(stolen), await isSignedIn(next)]).toEqual([false, true]);
    bench.events.length = 0;
    for (const late of [stolen, next]) expect(await renewed(bench, late)).toEqual(ended);
    expect(await isSignedIn(next)).toBe(false);
    expect(bench.events).toEqual([{ event: "authn_token_reuse", kind: "customer", account: email }]);
  });

  it("is replaced once when many tabs renew at once, and no tab is signed out", async () => {
    // One session after the other. By design, the service refuses more simultaneous calls than PostgreSQL's pool
    // handles in time.
    for (let session = 0; session < 10; session++) {
      const first = await signIn(bench, { stayLoggedIn: true });
      const answers = await Promise.all(Array.from({ length: 20 }, () => renewed(bench, first)));
      expect(answers.filter(({ status }) => status !== "renewed")).toEqual([]);
      const generations = answers.map(({ jar }) => decodeJwt(jar.LongtermToken ?? "").gen);
      expect(new Set(generations)).toEqual(new Set([1]));
      expect(await isSignedIn(answers[0]?.jar ?? {})).toBe(true);
    }
  });
});
