import { createServer } from "node:net";
import { setImmediate as afterSending } from "node:timers/promises";
import { Client } from "pg";
import request from "supertest";
import { expect, it, onTestFinished } from "vitest";
import { UnavailableError } from "../../server/platform/errors.ts";
import { inTransaction } from "../../server/store/open-store.ts";
import { newAddress } from "../support/new-address.ts";
import { signUpOf } from "../support/newsletter-test.ts";
import { createTestApp, testLogger } from "../support/test-app.ts";
import { createStorePlace, openTestStore } from "../support/test-store.ts";
import { startLine } from "./start-line.ts";

let count = 0;

/** Starts a service on its own database, over a connection that can be cut. */
async function startService() {
  const { dataDir, databaseUrl = "" } = await createStorePlace();
  const url = new URL(databaseUrl);
  const line = await startLine(Number(url.port));
  onTestFinished(line.cut);
  url.port = String(line.port);
  const store = await openTestStore(testLogger, { dataDir, databaseUrl: url.href });
  const { app, logs } = await createTestApp({ store, originalAddressFrom: ["127.0.0.0/8", "::1"] });
  const headers = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin", "X-Site": "DE" };
  const signUp = async () => {
    const answer = await request(app)
      .post("/service/newsletter/api/internal/newsletter-subscribers")
      .set({ ...headers, "X-Original-Address": newAddress() })
      .send(signUpOf(`restart-${count++}@shop.example`));
    return answer.status;
  };
  const read = async () => (await request(app).get("/service/abtestfrontend/api/v1/gettestsat").set(headers)).status;
  return {
    databaseUrl,
    line,
    logs,
    signUp,
    store,
    /**
     * Signs somebody up and reads for somebody else.
     * @returns the statuses of both answers
     */
    ask: () => Promise.all([signUp(), read()]),
  };
}

it("requests wait while PostgreSQL refuses connections for a moment", async () => {
  const { line, ask } = await startService();
  await line.cut();
  let refused = 0;
  const starting = createServer((socket) => {
    refused++;
    socket.destroy();
  }).listen(line.port, "127.0.0.1");
  const asked = ask();
  await expect.poll(() => refused).toBeGreaterThan(0);
  starting.close();
  await line.mend();
  expect(await asked).toEqual([202, 200]);
});

it.each([
  ["a statement that reads", "ab_test", "access exclusive"],
  ["a statement that writes", "mail_budget", "exclusive"],
  ["a transaction", "newsletter_subscription", "exclusive"],
])("what PostgreSQL cancels as it shuts down is retried: %s", async (_what, table, mode) => {
  const { databaseUrl, ask } = await startService();
  const operator = new Client({ connectionString: databaseUrl });
  await operator.connect();
  onTestFinished(() => operator.end());
  await operator.query(`begin; lock table ${table} in ${mode} mode`);
  const asked = ask();
  // Statements and transactions that wait for the lock have already begun.
  const end = "select pg_terminate_backend(pid) from pg_locks where not granted and relation = $1::regclass";
  await expect.poll(async () => (await operator.query(end, [table])).rowCount).toBeGreaterThan(0);
  await operator.query("rollback");
  expect(await asked).toEqual([202, 200]);
});

it("statements under way over every connection of the pool are retried", async () => {
  const { line, store } = await startService();
  const read = () => store.db.selectFrom("abTest").selectAll().execute();
  const readAtOnce = () => Promise.all(Array.from({ length: 10 }, read));
  await readAtOnce();
  const lost = readAtOnce();
  await afterSending();
  await line.cut();
  await line.mend();
  await lost;
});

it("a transaction that is lost before its commit is retried, one whose commit is lost is not", async () => {
  const { line, store } = await startService();
  const breakOff = async () => {
    await line.cut();
    await line.mend();
  };
  let begun = 0;
  await inTransaction(store.db, async (transaction) => {
    begun++;
    if (begun === 1) await breakOff();
    await transaction.selectFrom("abTest").selectAll().execute();
  });
  expect(begun).toBe(2);

  let done = 0;
  let broken: Promise<void> | undefined;
  const lost = inTransaction(store.db, async () => {
    done++;
    broken = afterSending().then(breakOff);
  });
  await expect(lost).rejects.toThrow(UnavailableError);
  await broken;
  expect(done).toBe(1);
});

it("a service whose PostgreSQL goes away answers 503, logs that once and without addresses, and goes on", async () => {
  const { line, logs, signUp } = await startService();
  expect(await signUp()).toBe(202);
  await line.cut();
  expect(await Promise.all([signUp(), signUp(), signUp()])).toEqual([503, 503, 503]);
  expect(JSON.stringify(logs)).not.toContain("@shop.example");
  expect(logs.filter(({ msg }) => msg === "database statement failed")).toHaveLength(1);
  await line.mend();
  await expect.poll(() => signUp()).toBe(202);
});
