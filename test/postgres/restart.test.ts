import { createServer } from "node:net";
import { setImmediate as afterSending } from "node:timers/promises";
import { Client } from "pg";
import request from "supertest";
import { expect, it, onTestFinished } from "vitest";
import { UnavailableError } from "../../server/errors.ts";
import { inTransaction } from "../../server/shop/store/in-transaction.ts";
import { newAddress } from "../support/new-address.ts";
import { signUpOf } from "../support/newsletter-test.ts";
import { createTestApp } from "../support/test-app.ts";
import { openStoreOverLine } from "./open-store-over-line.ts";

let count = 0;

/** Starts a service on a database of its own, over a line that can be cut. */
async function startService() {
  const { databaseUrl, line, store } = await openStoreOverLine();
  const { app } = await createTestApp({ store, originalAddressFrom: ["127.0.0.0/8", "::1"] });
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
    store,
    /** Lets somebody sign up, and somebody else read, and gives how they were answered. */
    ask: () => Promise.all([signUp(), read()]),
  };
}

it("requests wait for a PostgreSQL that takes no connections for a moment", async () => {
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
])("what PostgreSQL breaks off as it leaves is done again: %s", async (_what, table, mode) => {
  const { databaseUrl, ask } = await startService();
  const operator = new Client({ connectionString: databaseUrl });
  await operator.connect();
  onTestFinished(() => operator.end());
  await operator.query(`begin; lock table ${table} in ${mode} mode`);
  const asked = ask();
  // Whoever waits for the lock is in the middle of it.
  const end = "select pg_terminate_backend(pid) from pg_locks where not granted and relation = $1::regclass";
  await expect.poll(async () => (await operator.query(end, [table])).rowCount).toBeGreaterThan(0);
  await operator.query("rollback");
  expect(await asked).toEqual([202, 200]);
});

it("what was under way over every connection of the pool is done again", async () => {
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

it("a transaction is done again that is lost before its commit, and not one whose commit is", async () => {
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
