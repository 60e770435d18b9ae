import { afterAll, expect, it } from "vitest";
import type { SecurityEvent } from "../../../server/security-events.ts";
import { customerAccounts } from "../../../server/shop/login/customer-accounts.ts";
import { staffAccounts } from "../../../server/shop/preview/staff-accounts.ts";
import { lockDemoSignIns } from "../../../server/shop/seed-sign-ins.ts";
import { up as markDemoAccounts } from "../../../server/shop/store/migrations/0030-demo-accounts.ts";
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

it("the sign-ins of the demo let nobody in at a start without it, and do so again at one with it", async () => {
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

it("the sign-ins that an earlier release has added are known as the demo's, and others are left alone", async () => {
  const { db } = await openTestStore(testLogger);
  const email = "own@shop.example";
  await customerAccounts.add(db, { email: "demo@example.com", password });
  await staffAccounts.add(db, { email: "staff@example.com", password });
  for (const accounts of [customerAccounts, staffAccounts]) await accounts.add(db, { email, password });
  for (const table of ["account", "staff"]) await db.schema.alterTable(table).dropColumn("demo").execute();
  await markDemoAccounts(db);
  const events: SecurityEvent[] = [];
  await lockDemoSignIns(db, (event) => events.push(event));
  const lock = { event: "authn_login_lock", reason: "demo" };
  expect(events).toEqual([
    { ...lock, kind: "customer", account: "demo@example.com" },
    { ...lock, kind: "staff", account: "staff@example.com" },
  ]);
  expect(await customerAccounts.find(db, "demo@example.com")).toMatchObject({ locked: 1 });
  expect(await staffAccounts.find(db, "staff@example.com")).toMatchObject({ locked: 1 });
  for (const accounts of [customerAccounts, staffAccounts])
    expect(await accounts.find(db, email)).toMatchObject({ locked: 0 });
});
