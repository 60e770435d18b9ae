import { describe, expect, it, vi } from "vitest";
import { day, minute, second } from "../../../../../client/rules/time.ts";
import {
  callerWith,
  clockOf,
  email,
  keep,
  openLogin,
  password,
  renewed,
  signIn,
} from "../../../../support/login-test.ts";
import { renewFamilies } from "../../../../support/renew-families.ts";

vi.setConfig({ testTimeout: 60_000 });

const bench = await openLogin();
const { login } = bench;
const seconds = (time: number) => Math.floor(time / second);
const isSignedIn = async (jar: { login?: string }) => (await login.identify({ login: jar.login })) !== undefined;

describe("a session", () => {
  it("ends after 30 minutes without a renewal, which is due after 10", async () => {
    const jar = await signIn(bench);
    expect(clockOf(jar)).toEqual({ exp: seconds(bench.now() + 30 * minute), ren: seconds(bench.now() + 10 * minute) });
    bench.pass(29 * minute);
    expect(await isSignedIn(jar)).toBe(true);
    bench.pass(2 * minute);
    expect(await isSignedIn(jar)).toBe(false);
    expect(await renewed(bench, jar)).toEqual({ status: "ended", jar: {} });
  });

  it("ends after 12 hours, and the last renewal says so", async () => {
    let jar = await signIn(bench);
    const end = seconds(bench.now() + 12 * 60 * minute);
    const statuses: string[] = [];
    for (let i = 0; i < 29; i++) {
      bench.pass(25 * minute);
      const { status, jar: next } = await renewed(bench, jar);
      statuses.push(status);
      jar = next;
    }
    expect([...new Set(statuses)]).toEqual(["renewed", "last", "ended"]);
    expect(statuses.indexOf("last")).toBe(27);
    expect(jar).toEqual({});
    expect(end).toBeLessThan(seconds(bench.now()));
  });

  it("lasts two weeks for customers who stay signed in, whose clock has a `lid`", async () => {
    const jar = await signIn(bench, { stayLoggedIn: true });
    expect(clockOf(jar)).toEqual({
      exp: seconds(bench.now() + 14 * day),
      ren: seconds(bench.now() + 10 * minute),
      lid: expect.stringMatching(/\S/),
    });
    bench.pass(13 * day);
    expect(await isSignedIn(jar)).toBe(true);
    const next = await renewed(bench, jar);
    expect(next.status).toBe("renewed");
    expect(clockOf(next.jar).lid).toBe(clockOf(jar).lid);
    bench.pass(15 * day);
    expect(await renewed(bench, next.jar)).toEqual({ status: "ended", jar: {} });
  });

  it("ends at the logout, also for credentials of an earlier renewal", async () => {
    for (const stayLoggedIn of [false, true]) {
      const jar = await signIn(bench, { stayLoggedIn });
      const before = await renewed(bench, jar);
      expect(keep(jar, await login.logout(callerWith(jar)))).toEqual({});
      expect(await renewed(bench, jar)).toEqual({ status: "ended", jar: {} });
      expect(await renewed(bench, before.jar)).toEqual({ status: "ended", jar: {} });
      expect(await isSignedIn(before.jar)).toBe(false);
    }
  });

  it("ends at the logout during a renewal", async () => {
    for (let i = 0; i < 8; i++) {
      const jar = await signIn(bench, { stayLoggedIn: true });
      const renewals = Array.from({ length: 5 }, () => renewed(bench, jar));
      await login.logout(callerWith(jar));
      for (const { jar: late } of await Promise.all(renewals)) expect(await isSignedIn(late)).toBe(false);
    }
  });

  it("ends when somebody signs in again in the same browser", async () => {
    const jar = await signIn(bench, { stayLoggedIn: true });
    const result = await login.login({ email, password }, callerWith(jar));
    if (result.status !== "success") throw new Error(result.status);
    expect(Object.keys(keep(jar, result.cookies)).sort()).toEqual(["LoginToken", "login"]);
    expect(await isSignedIn(jar)).toBe(false);
  });
});

describe("a long-term token", () => {
  it("is replaced at a renewal, and valid for ten more seconds", async () => {
    const first = await signIn(bench, { stayLoggedIn: true });
    const second = await renewed(bench, first);
    expect(second.jar.LongtermToken).not.toBe(first.LongtermToken);
    bench.pass(9_999);
    const parallel = await renewed(bench, first);
    expect(parallel.status).toBe("renewed");
    expect(await isSignedIn(first)).toBe(true);
    bench.pass(minute);
    expect((await renewed(bench, parallel.jar)).status).toBe("renewed");
    expect((await renewed(bench, second.jar)).status).toBe("renewed");
  });

  it("isn't replaced again within ten seconds, as a third tab may still send the first one", async () => {
    const first = await signIn(bench, { stayLoggedIn: true });
    const { jar } = await renewed(bench, first);
    bench.pass(5 * second);
    await renewed(bench, jar);
    expect((await renewed(bench, first)).status).toBe("renewed");
  });

  it("ends the session when it is reused later, which is reported once", async () => {
    const stolen = await signIn(bench, { stayLoggedIn: true });
    const { jar } = await renewed(bench, stolen);
    bench.pass(10 * second);
    expect(await isSignedIn(stolen)).toBe(false);
    expect(await isSignedIn(jar)).toBe(true);
    bench.events.length = 0;
    expect(await renewed(bench, stolen)).toEqual({ status: "ended", jar: {} });
    expect(await isSignedIn(jar)).toBe(false);
    expect(await renewed(bench, jar)).toEqual({ status: "ended", jar: {} });
    expect(bench.events).toEqual([{ event: "authn_token_reuse", kind: "customer", account: email }]);
  });

  it("can be reused neither alone nor by the other credential", async () => {
    for (const name of ["LongtermToken", "login"]) {
      const first = await signIn(bench, { stayLoggedIn: true });
      const { status, jar } = await renewed(bench, { [name]: first[name] ?? "" });
      expect(status).toBe("renewed");
      bench.pass(10 * second);
      expect((await renewed(bench, { [name]: first[name] ?? "" })).status).toBe("ended");
      expect(await isSignedIn(jar)).toBe(false);
    }
  });

  it("is replaced once when many tabs renew at once, and no tab is signed out", async () => {
    const families = await Promise.all(Array.from({ length: 20 }, () => signIn(bench, { stayLoggedIn: true })));
    expect(await renewFamilies(bench, families, 50)).toEqual({
      ...{ renewals: 1_000, falseLogouts: 0, liveFamilies: 20, mostGenerations: 1 },
    });
  });
});
