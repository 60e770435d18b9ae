import { describe, expect, it, vi } from "vitest";
import { minute, second } from "../../../../client/rules/time.ts";
import type { LoginCaller } from "../../../../server/services/login-service.ts";
import { createLogin } from "../../../../server/shop/login/create-login.ts";
import { createThrottle } from "../../../../server/shop/sign-in/throttle.ts";
import { callerWith, email, openLogin, password } from "../../../support/login-test.ts";
import { testLogger } from "../../../support/test-app.ts";
import { openTestStore } from "../../../support/test-store.ts";

vi.setConfig({ testTimeout: 30_000 });

const wrong = { email, password: "wrong password" };

describe("the tries of an address", () => {
  it("are free five times, then wait four times as long each, up to a quarter of an hour", async () => {
    const { db } = await openTestStore(testLogger);
    const throttle = createThrottle(db, Buffer.from("secret"));
    const tries: number[] = [];
    for (let at = 0; at < 60 * minute; ) {
      const { wait } = await throttle.begin(email, at);
      if (wait === 0) tries.push(at / second);
      at += wait;
    }
    expect(tries).toEqual([0, 0, 0, 0, 0, 2, 10, 42, 170, 682, 1582, 2482, 3382]);
    const within = tries.map((from) => tries.filter((at) => at >= from && at < from + 900).length);
    expect(Math.max(...within)).toBe(10);
  });

  it("are forgotten when the password was right, and a while after the last", async () => {
    const { db } = await openTestStore(testLogger);
    const throttle = createThrottle(db, Buffer.from("secret"));
    const tryFour = async (at: number) => {
      for (let i = 0; i < 4; i++) expect(await throttle.begin(email, at)).toEqual({ wait: 0, nextWait: 0 });
    };
    await tryFour(0);
    await throttle.forget(email);
    await tryFour(0);
    await tryFour(15 * minute);
    expect(JSON.stringify(await db.selectFrom("loginThrottle").selectAll().execute())).not.toContain("ada@");
  });
});

it("an address with a character that no database has is one without an account", async () => {
  const bench = await openLogin();
  const answer = await bench.login.login({ email: `${email}\0`, password }, callerWith());
  expect(answer).toEqual({ status: "unauthorized" });
});

describe("too many wrong passwords", () => {
  it("keep the right one from being tried, too, for an address with an account or without one", async () => {
    const bench = await openLogin();
    for (const known of [email, "nobody@shop.example"]) {
      const answers = [];
      for (let i = 0; i < 6; i++) answers.push(await bench.login.login({ ...wrong, email: known }, callerWith()));
      expect(answers.map(({ status }) => status)).toEqual([...Array(5).fill("unauthorized"), "rateLimited"]);
      expect(answers[5]).toEqual({ status: "rateLimited", retryAfter: 2 });
      expect(await bench.login.login({ email: known.toUpperCase(), password }, callerWith())).toEqual(answers[5]);
    }
    bench.pass(2 * second);
    expect(await bench.login.login({ email, password }, callerWith())).toMatchObject({ status: "success" });
    expect(await bench.login.login(wrong, callerWith())).toEqual({ status: "unauthorized" });
  });

  it("are no more when they come at once", async () => {
    const bench = await openLogin();
    const answers = await Promise.all(Array.from({ length: 15 }, () => bench.login.login(wrong, callerWith())));
    expect(answers.map(({ status }) => status)).toEqual([
      ...Array(5).fill("unauthorized"),
      ...Array(10).fill("rateLimited"),
    ]);
  });

  it("of a network for many addresses stop that network alone, on every replica", async () => {
    const bench = await openLogin();
    const replica = await createLogin({ ...bench, clock: bench.now });
    const network: LoginCaller = callerWith();
    const attempt = (i: number) => bench.login.login({ email: `nobody-${i}@shop.example`, password }, network);
    const first = await Promise.all(Array.from({ length: 30 }, (_, i) => attempt(i)));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set(["unauthorized"]));
    expect(await attempt(30)).toEqual({ status: "rateLimited", retryAfter: 60 });
    expect(await replica.login({ email, password }, network)).toEqual({ status: "rateLimited", retryAfter: 60 });
    expect(await bench.login.login({ email, password }, callerWith())).toMatchObject({ status: "success" });
    bench.pass(minute);
    expect(await bench.login.login({ email, password }, network)).toMatchObject({ status: "success" });
  });

  it("are told to operators by how they ended", async () => {
    const bench = await openLogin();
    for (let i = 0; i < 6; i++) await bench.login.login(wrong, callerWith());
    bench.pass(minute);
    await bench.login.login({ email, password }, callerWith());
    const { values } = await bench.metrics.signIns.get();
    expect(values.map(({ labels, value }) => ({ ...labels, value }))).toEqual([
      { kind: "customer", outcome: "unauthorized", value: 5 },
      { kind: "customer", outcome: "rateLimited", value: 1 },
      { kind: "customer", outcome: "success", value: 1 },
    ]);
  });

  it("aren't counted where the password is right: many may sign in from one network", async () => {
    const bench = await openLogin();
    const network = callerWith();
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => bench.login.login({ email, password }, network)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(["success"]));
    }
  });

  it("at once make the rest unavailable, and don't fill the memory", async () => {
    const bench = await openLogin();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        bench.login.login({ email: `n-${i}@shop.example`, password }, callerWith()).then(
          ({ status }) => status,
          ({ name }: Error) => name,
        ),
      ),
    );
    expect(new Set(answers)).toEqual(new Set(["unauthorized", "UnavailableError"]));
    expect(answers.filter((answer) => answer === "unauthorized").length).toBeGreaterThanOrEqual(42);
    expect(await bench.login.login({ email, password }, callerWith())).toMatchObject({ status: "success" });
  });
});
