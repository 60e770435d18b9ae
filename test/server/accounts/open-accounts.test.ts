import request from "supertest";
import { afterAll, expect, it, vi } from "vitest";
import { minute } from "../../../client/rules/time.ts";
import { addAccount, findAccount } from "../../../server/accounts/accounts.ts";
import { seedDemoAccounts } from "../../../server/accounts/demo-accounts.ts";
import { openAccounts } from "../../../server/accounts/open-accounts.ts";
import { checkPassword } from "../../../server/accounts/password-hash.ts";
import { deleteExpiredSessions, startSession } from "../../../server/accounts/sessions.ts";
import { deleteExpiredCounters } from "../../../server/store/counters.ts";
import { type Jar, keep } from "../../support/cookie-jar.ts";
import { callerWith, openLogin, pass, renewed, signIn } from "../../support/login-test.ts";
import { call, cookiesOf, header } from "../../support/preview-test.ts";
import { createTestApp, testLogger } from "../../support/test-app.ts";
import { keysOf, openTestStore } from "../../support/test-store.ts";

afterAll(() => void vi.useRealTimers());

const password = "open sesame";
const kinds = ["customer", "staff"] as const;

it("demo accounts are locked by a start without DEMO, and unlocked by one with it", async () => {
  const store = await openTestStore(testLogger);
  const own = "own@shop.example";
  for (const kind of kinds) await addAccount(store.db, kind, { email: own, password });

  /** Starts the service on the same store again. */
  async function start(env: { demo: boolean; demoPassword?: string }) {
    const { app, deps, logs } = await createTestApp({ store, trustProxy: ["loopback"], ...env });
    const { demoSignIns } = await openAccounts({ ...deps, env: deps });
    const signIn = async (customer: string, staff: string) => [
      await call(app, "/service/login/api/v1/login").send({ email: customer, password }),
      await call(app, "/service/preview/api/auth/login").send({ user: staff, password }),
    ];
    return {
      demoSignIns,
      locks: logs.filter(({ event }) => event === "authn_login_lock").map(({ kind, reason }) => [kind, reason]),
      signInDemo: () => signIn("demo@example.com", "staff@example.com"),
      signInOwn: () => signIn(own, own),
      async sessionsOf(jar: Jar) {
        const paths = ["/service/newsletter/api/private/customers/base-data", "/service/preview/api/auth/checkauth"];
        const answers = await Promise.all(paths.map((path) => request(app).get(path).set("Cookie", header(jar))));
        return answers.map(({ status }) => status);
      },
    };
  }

  const demo = await start({ demo: true, demoPassword: password });
  const jar = (await demo.signInDemo()).reduce((kept, answer) => keep(kept, cookiesOf(answer)), {});
  expect(await demo.sessionsOf(jar)).toEqual([200, 200]);

  const withoutDemo = await start({ demo: false, demoPassword: password });
  expect(withoutDemo.locks).toEqual([
    ["customer", "demo"],
    ["staff", "demo"],
  ]);
  expect(await withoutDemo.sessionsOf(jar)).toEqual([401, 401]);
  expect((await withoutDemo.signInDemo()).map(({ status }) => status)).toEqual([401, 401]);
  expect((await withoutDemo.signInOwn()).map(({ status }) => status)).toEqual([200, 200]);

  const again = await start({ demo: true });
  expect((await again.signInDemo()).map(({ status }) => status)).toEqual([200, 200]);
  expect(await again.sessionsOf(jar), "sessions that were ended").toEqual([401, 401]);
  expect(again.demoSignIns.join("\n")).toMatch(
    /^Customer .*as set at an earlier start\)\nStaff .*\n +To set another: DEMO_PASSWORD=/,
  );
});

it("every start prints the demo's password if no variable sets it", async () => {
  const store = await openTestStore(testLogger);
  const { deps } = await createTestApp({ store });
  const first = await seedDemoAccounts(store.db, deps, deps.keys);
  expect(first.join("\n")).toMatch(/^Customer {2}demo@example.com {2}\S{12}\nStaff {5}staff@example.com {2}\S{12}$/);
  expect(await seedDemoAccounts(store.db, deps, deps.keys)).toEqual(first);
});

it("one of several replicas that start at once adds the demo accounts, and prints the password", async () => {
  const store = await openTestStore(testLogger);
  const { deps } = await createTestApp({ store });
  const replicas = ["a", "b", "c"].map((secret) => seedDemoAccounts(store.db, deps, keysOf(Buffer.alloc(32, secret))));
  const lines = (await Promise.all(replicas)).flat();
  for (const label of ["Customer", "Staff"])
    expect(
      lines.filter((line) => new RegExp(`^${label} .* \\S{12}$`).test(line)),
      label,
    ).toHaveLength(1);
});

it("a given password replaces those of customer and staff, and ends their sessions", async () => {
  const store = await openTestStore(testLogger);
  const { db } = store;
  const { deps } = await createTestApp({ store });
  await seedDemoAccounts(db, deps, deps.keys);
  const find = (kind: (typeof kinds)[number]) =>
    findAccount(db, kind, { customer: "demo@example.com", staff: "staff@example.com" }[kind]);
  const startSessions = async () => {
    for (const kind of kinds) await startSession(db, (await find(kind))?.id ?? "");
  };
  const sessions = async () => (await db.selectFrom("session").select("id").execute()).length;
  const seedGiven = () => seedDemoAccounts(db, { ...deps, demoPassword: "given password" }, deps.keys);

  await startSessions();
  expect(await seedGiven()).toEqual(kinds.map(() => expect.stringMatching(/ given password$/)));
  expect(await sessions()).toBe(0);
  for (const kind of kinds)
    expect(await checkPassword("given password", (await find(kind))?.passwordHash ?? "")).toBe(true);
  await startSessions();
  await seedGiven();
  expect(await sessions(), "the same password").toBe(2);
});

it("the cleanup deletes what has expired, nothing else", async () => {
  const bench = await openLogin();
  const { db } = bench;
  const counts = async () => {
    await deleteExpiredSessions(db, Date.now());
    await deleteExpiredCounters(db, Date.now());
    const tables = ["session", "rateLimit"] as const;
    return Promise.all(tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length));
  };
  await signIn(bench);
  const staying = await signIn(bench, { stayLoggedIn: true });
  for (const name of ["a", "b", "c"]) await bench.login.login({ email: name, password: "wrong" }, callerWith());
  expect(await counts()).toEqual([2, 9]);
  pass(31 * minute);
  expect(await counts()).toEqual([1, 3]);
  pass(60 * minute);
  expect(await counts()).toEqual([1, 0]);
  expect((await renewed(bench, staying)).status).toBe("renewed");
});
