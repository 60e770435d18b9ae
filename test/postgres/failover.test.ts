import { Client } from "pg";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { createVisitors } from "../faults/visitors.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";
import { createStorePlace } from "../support/test-store.ts";

afterAll(stopProcesses);

/** How many sign-ups are under way at once: more than the service has connections. */
const atOnce = 16;
const failovers = 5;

/** Where PostgreSQL says what the service's connections do. */
const service = "pg_stat_activity where datname = current_database() and application_name = 'storefront-fragments'";

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

it("a service of which PostgreSQL ends every connection goes on, and loses nothing it accepted", async () => {
  const { databaseUrl = "" } = await createStorePlace();
  const running = startProcess({ DATABASE_URL: databaseUrl, NODE_ENV: "production", TRUST_PROXY: "127.0.0.1" });
  const port = await running.port;
  const [operator, locker] = [await connect(databaseUrl), await connect(databaseUrl)];
  const { acknowledged, unanswered, signUp } = createVisitors();
  const refusals = new Set<string>();
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const keepComing = async () => {
    const tryOne = () => signUp(port).catch(({ message }: Error) => refusals.add(message));
    while (!isOver && (await tryOne()));
  };
  const coming = Array.from({ length: atOnce }, keepComing);
  const untilMoreAreTaken = async () => {
    const enough = acknowledged.size + 2 * atOnce;
    await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(enough);
  };

  await untilMoreAreTaken();
  for (let count = 0; count < failovers; count++) {
    // Whoever waits for this lock is in the middle of a transaction.
    await locker.query("begin; lock table newsletter_subscription in exclusive mode");
    const waiting = async () =>
      (await operator.query(`select 1 from ${service} and wait_event_type = 'Lock'`)).rowCount;
    await expect.poll(waiting, { timeout: 10_000 }).toBeGreaterThan(0);
    await operator.query(`select pg_terminate_backend(pid) from ${service}`);
    await locker.query("rollback");
    await untilMoreAreTaken();
  }
  isOver = true;
  await Promise.all(coming);

  expect(unanswered).toEqual([]);
  expect([...refusals]).toEqual(["a sign-up was answered with 503"]);
  for (const stored of ["select email from newsletter_subscription", "select recipient as email from mail_outbox"]) {
    const emails = (await operator.query<{ email: string }>(stored)).rows.map(({ email }) => email);
    const known = new Set(emails);
    expect(emails, "nobody is there twice").toHaveLength(known.size);
    expect([...acknowledged].filter((email) => !known.has(email))).toEqual([]);
  }
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  expect(running.stdout()).not.toContain('"level":60');
  expect(running.stderr()).toBe("");
});
