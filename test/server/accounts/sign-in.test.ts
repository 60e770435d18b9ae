import { parseSetCookie } from "cookie";
import { describe, expect, it } from "vitest";
import { minute, second } from "../../../client/rules/time.ts";
import { addAccount, findAccount, lockAccount } from "../../../server/accounts/accounts.ts";
import { createLoginThrottle } from "../../../server/accounts/login-throttle.ts";
import { createEmbeddedLogin } from "../../../server/features/login/embedded/login-service.ts";
import { createPasswordLogin } from "../../../server/features/preview/embedded/password-login.ts";
import { createStaffSessions } from "../../../server/features/preview/embedded/staff-sessions.ts";
import {
  callerWith,
  checkAll,
  countOf,
  email,
  openLogin,
  pass,
  password,
  signIn,
  unknownAddresses,
} from "../../support/login-test.ts";
import { newAddress } from "../../support/new-address.ts";
import { testLogger } from "../../support/test-app.ts";
import { openTestStore, testKeys } from "../../support/test-store.ts";

// Each wrong password waits for several hashes.

const right = { email, password };
const wrong = { email, password: "wrong password" };

describe("the login throttle", () => {
  it("lets no free attempt wait because a replica with a fast clock has counted an earlier one", async () => {
    const { db } = await openTestStore(testLogger);
    const { countAttempt } = createLoginThrottle(db, testKeys, "customer");
    await countAttempt(email, minute + 15);
    expect(await countAttempt(email, minute)).toMatchObject({ wait: 0, nextWait: 0 });
  });

  it("allows five attempts, then waits four times as long each time, up to 15 minutes, and forgets", async () => {
    const { db } = await openTestStore(testLogger);
    const throttle = createLoginThrottle(db, testKeys, "customer");
    const allowed: number[] = [];
    for (let at = 0; at < 60 * minute; ) {
      const { wait } = await throttle.countAttempt(email, at);
      if (wait === 0) allowed.push(at / second);
      at += wait;
    }
    expect(allowed).toEqual([0, 0, 0, 0, 0, 2, 10, 42, 170, 682, 1582, 2482, 3382]);
    for (let i = 0; i < 4; i++)
      expect(await throttle.countAttempt(email, 90 * minute)).toMatchObject({ wait: 0, nextWait: 0 });
    expect(JSON.stringify(await db.selectFrom("rateLimit").selectAll().execute())).not.toContain("ada@");
  });
});

describe("a login", () => {
  it("is refused after five wrong passwords even with the right one, with and without an account", async () => {
    const { login, metrics } = await openLogin();
    for (const known of [email, "nobody@shop.example"]) {
      const answers = [];
      for (let i = 0; i < 6; i++) answers.push(await login.login({ ...wrong, email: known }, callerWith()));
      expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill("unauthorized"), "rateLimited"]);
      expect(answers[5]).toEqual({ status: "rateLimited", retryAfter: 2 });
      expect(await login.login({ email: known.toUpperCase(), password }, callerWith())).toEqual(answers[5]);
    }
    pass(2 * second);
    expect(await login.login(right, callerWith())).toMatchObject({ status: "success" });
    expect(await login.login(wrong, callerWith())).toEqual({ status: "unauthorized" });
    const { values } = await metrics.signIns.get();
    expect(values.map(({ labels, value }) => ({ ...labels, value }))).toEqual([
      { kind: "customer", outcome: "unauthorized", value: 11 },
      { kind: "customer", outcome: "rateLimited", value: 4 },
      { kind: "customer", outcome: "success", value: 1 },
    ]);
  });

  it("to a locked account is refused and throttled alike, with the right and with a wrong password", async () => {
    for (const attempt of [right, wrong]) {
      const { db, login } = await openLogin();
      await lockAccount(db, (await findAccount(db, "customer", email))?.id ?? "");
      const statuses = [];
      for (let i = 0; i < 6; i++) statuses.push((await login.login(attempt, callerWith())).status);
      expect(statuses).toEqual([...Array(5).fill("unauthorized"), "rateLimited"]);
    }
  });

  it("gains nothing from parallel attempts", async () => {
    const statuses = await checkAll(await openLogin(), Array(15).fill(wrong), newAddress);
    expect(statuses.sort()).toEqual([...Array(10).fill("rateLimited"), ...Array(5).fill("unauthorized")]);
  });

  it("with the right password succeeds many times at once, as none counts against another", async () => {
    const bench = await openLogin();
    for (let i = 0; i < 4; i++)
      expect(await bench.login.login(wrong, callerWith())).toEqual({ status: "unauthorized" });
    expect(await checkAll(bench, Array(4).fill(right), newAddress)).toEqual(Array(4).fill("success"));
  });

  it("is refused to a network that tried many addresses, on every replica", async () => {
    const bench = await openLogin();
    const { db, events, login } = bench;
    const replica = createEmbeddedLogin(bench, db);
    const network = callerWith();
    const statuses = await checkAll(bench, unknownAddresses(40), () => network.ip ?? "");
    expect(countOf(statuses, "unauthorized")).toBe(30);
    expect(events).toEqual([{ event: "excess_rate_limit_exceeded", limit: "login-minute", key: network.ip }]);
    expect(await replica.login(right, network)).toEqual({ status: "rateLimited", retryAfter: 60 });
    expect(await login.login(right, callerWith())).toMatchObject({ status: "success" });
    pass(minute);
    expect(await login.login(right, network)).toMatchObject({ status: "success" });
  });
});

describe("a trusted device", async () => {
  const bench = await openLogin();
  const { db, login } = bench;
  const bea = "bea@shop.example";
  await addAccount(db, "customer", { email: bea, password });

  /** Tries a password in a browser with a device cookie. */
  const tryWith = (device = "", entered = password, address = email) =>
    login.login({ email: address, password: entered }, callerWith({ KnownDevice: device }));
  const statusWith = async (device?: string) => (await tryWith(device)).status;

  /** Signs in, and returns the new device cookie. */
  async function trustedAfter(address = email, device?: string): Promise<string> {
    const result = await tryWith(device, password, address);
    const cookies = result.status === "success" ? result.cookies.map((text) => parseSetCookie(text)) : [];
    return cookies.find(({ name }) => name === "KnownDevice")?.value ?? "";
  }

  async function useUpAttempts(device?: string): Promise<void> {
    for (let i = 0; i < 5; i++) expect((await tryWith(device, "a guess")).status).toBe("unauthorized");
    expect(await statusWith(device)).toBe("rateLimited");
  }

  it("has its own attempts, which a login of the owner doesn't reset for strangers", async () => {
    const device = await trustedAfter();
    await useUpAttempts();
    const next = await trustedAfter(email, device);
    expect(next).not.toBe(device);
    expect(await statusWith()).toBe("rateLimited");
    await useUpAttempts(next);
    expect(await statusWith(device), "another browser of the owner").toBe("success");
    pass(2 * second);
    expect(await statusWith()).toBe("success");
  });

  it("is trusted for one account, by an unchanged cookie that reveals nothing", async () => {
    const device = await trustedAfter();
    const others = await trustedAfter(bea);
    await useUpAttempts();
    const [id, signature] = device.split(".");
    for (const invalid of [others, ".", "x", `${device}=`, `${device}.`, `${id}.`, `.${signature}`, `x${device}`])
      expect(await statusWith(invalid), invalid).toBe("rateLimited");
    expect(await login.identify(callerWith({ login: device, LongtermToken: device }))).toBeUndefined();
    expect(Buffer.from(device, "base64url").toString("latin1")).not.toMatch(/ada@/i);
    expect(device).not.toContain((await findAccount(db, "customer", email))?.id);
    pass(2 * second);
  });

  it("stays trusted after a logout", async () => {
    const cookies = await login.logout(callerWith(await signIn(bench)));
    expect(cookies.join()).not.toContain("KnownDevice");
  });
});

describe("security events", () => {
  it("report each lock after wrong passwords, and no attempt that has to wait", async () => {
    const { events, login } = await openLogin();
    const caller = callerWith();
    for (let i = 0; i < 9; i++) await login.login({ ...wrong, email: "ADA@shop.example" }, caller);
    const lock = { event: "authn_login_lock", kind: "customer", account: email, reason: "tries" };
    expect(events).toEqual([{ ...lock, network: caller.ip }]);
    pass(2 * second);
    await login.login(wrong, caller);
    expect(events).toHaveLength(2);
  });

  it("report logins of staff, not of customers", async () => {
    const bench = await openLogin();
    await signIn(bench);
    expect(bench.events).toEqual([]);
    await addAccount(bench.db, "staff", right);
    const caller = callerWith();
    await createPasswordLogin(bench, bench.db, createStaffSessions(bench, bench.db))(email, password, caller);
    const success = { event: "authn_login_success", kind: "staff", account: email, network: caller.ip };
    expect(bench.events).toEqual([success]);
  });
});
