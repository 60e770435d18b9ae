import { afterAll, expect, it } from "vitest";
import { addAccount, findAccount } from "../../../server/accounts/accounts.ts";
import { demoAccounts, lockDemoAccounts, seedDemoAccount } from "../../../server/accounts/demo-accounts.ts";
import { checkPassword } from "../../../server/accounts/password-hash.ts";
import { startSession } from "../../../server/accounts/sessions.ts";
import type { SecurityEvent } from "../../../server/platform/security-events.ts";
import { startProcess, stopProcesses } from "../../support/start-process.ts";
import { testLogger } from "../../support/test-app.ts";
import { createStorePlace, openTestStore, type StorePlace } from "../../support/test-store.ts";

const password = "open sesame";
const ours = { "Content-Type": "application/json", "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };

afterAll(stopProcesses);

/** Starts the service as it was built on a store, and gives what asks it until it is stopped. */
async function start({ dataDir, databaseUrl }: StorePlace, environment: Record<string, string>) {
  const database = databaseUrl === undefined ? undefined : { DATABASE_URL: databaseUrl };
  const service = startProcess({ DATA_DIR: dataDir, ...database, ...environment });
  const base = `http://127.0.0.1:${await service.port}/service`;
  const post = (path: string, body: object) =>
    fetch(`${base}${path}`, { method: "POST", headers: ours, body: JSON.stringify(body) });
  return {
    signInCustomer: () => post("/login/api/v1/login", { email: "demo@example.com", password }),
    signInStaff: () => post("/preview/api/auth/login", { user: "staff@example.com", password }),
    askWith: (path: string, cookies: string) => fetch(`${base}${path}`, { headers: { Cookie: cookies } }),
    said: () => service.stdout(),
    async stop() {
      service.signal("SIGKILL");
      await service.ended;
    },
  };
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((text) => text.split(";", 1)[0])
    .join("; ");
}

it("demo accounts are locked by a start without DEMO, and unlocked by one with it", async () => {
  const place = await createStorePlace();
  const demo = await start(place, { DEMO_PASSWORD: password });
  const [customer, staff] = [await demo.signInCustomer(), await demo.signInStaff()];
  expect([customer.status, staff.status]).toEqual([200, 200]);
  const customerData = "/newsletter/api/private/customers/base-data";
  const staffCheck = "/preview/api/auth/checkauth";
  expect((await demo.askWith(customerData, cookiesOf(customer))).status).toBe(200);
  expect((await demo.askWith(staffCheck, cookiesOf(staff))).status).toBe(200);
  await demo.stop();

  const withoutDemo = await start(place, { DEMO: "off", DEMO_PASSWORD: password });
  expect((await withoutDemo.askWith(customerData, cookiesOf(customer))).status).toBe(401);
  expect((await withoutDemo.askWith(staffCheck, cookiesOf(staff))).status).toBe(401);
  expect([(await withoutDemo.signInCustomer()).status, (await withoutDemo.signInStaff()).status]).toEqual([401, 401]);
  await withoutDemo.stop();

  const again = await start(place, {});
  expect([(await again.signInCustomer()).status, (await again.signInStaff()).status]).toEqual([200, 200]);
  expect((await again.askWith(staffCheck, cookiesOf(staff))).status, "a session that was ended").toBe(401);
  expect(again.said()).toMatch(
    /^Customer .*as printed at the first start\)\nStaff .*\n +To set another: DEMO_PASSWORD=/m,
  );
  await again.stop();
});

it("locking the demo accounts leaves other accounts alone", async () => {
  const { db } = await openTestStore(testLogger);
  const email = "own@shop.example";
  for (const kind of ["customer", "staff"] as const) {
    await seedDemoAccount(db, kind, password, false);
    await addAccount(db, kind, { email, password });
  }
  const events: SecurityEvent[] = [];
  await lockDemoAccounts(db, (event) => events.push(event));
  const lock = { event: "authn_login_lock", reason: "demo" };
  expect(events).toEqual([
    { ...lock, kind: "customer", account: "demo@example.com" },
    { ...lock, kind: "staff", account: "staff@example.com" },
  ]);
  expect(await findAccount(db, "customer", "demo@example.com")).toMatchObject({ locked: 1 });
  expect(await findAccount(db, "staff", "staff@example.com")).toMatchObject({ locked: 1 });
  for (const kind of ["customer", "staff"] as const)
    expect(await findAccount(db, kind, email)).toMatchObject({ locked: 0 });
});

it.each(["customer", "staff"] as const)(
  "a given password replaces that of the %s, and ends their sessions",
  async (kind) => {
    const { db } = await openTestStore(testLogger);
    const seeded = await Promise.all(["a", "b", "c"].map((text) => seedDemoAccount(db, kind, text, false)));
    expect(seeded.filter(Boolean), "several replicas at once").toHaveLength(1);
    const find = () => findAccount(db, kind, demoAccounts[kind].email);
    const sessions = async () => (await db.selectFrom("session").select("id").execute()).length;
    const id = (await find())?.id ?? "";
    await startSession(db, id);
    expect(await seedDemoAccount(db, kind, "given password", true)).toBe(true);
    expect(await sessions()).toBe(0);
    expect(await checkPassword("given password", (await find())?.passwordHash ?? "")).toMatchObject({ right: true });
    await startSession(db, id);
    expect(await seedDemoAccount(db, kind, "given password", true)).toBe(true);
    expect(await sessions(), "the same password").toBe(1);
  },
);
