import { createServer } from "node:net";
import { Client } from "pg";
import request from "supertest";
import { expect, it, onTestFinished } from "vitest";
import { newAddress } from "../support/new-address.ts";
import { signUpOf } from "../support/newsletter-test.ts";
import { createTestApp, testLogger } from "../support/test-app.ts";
import { createStorePlace, openTestStore } from "../support/test-store.ts";
import { startLine } from "./start-line.ts";

let count = 0;

/** Starts a service on a database of its own, over a line that can be cut. */
async function startService() {
  const { dataDir, databaseUrl = "" } = await createStorePlace();
  const url = new URL(databaseUrl);
  const line = await startLine(Number(url.port));
  onTestFinished(line.cut);
  url.port = String(line.port);
  const store = await openTestStore(testLogger, { dataDir, databaseUrl: url.href });
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
    /** Lets visitors sign up and read, all at once, and gives how they were answered. */
    ask: () => Promise.all(Array.from({ length: 5 }, () => [signUp(), read()]).flat()),
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
  expect(new Set(await asked)).toEqual(new Set([200, 202]));
});

it("what PostgreSQL breaks off as it leaves is done again", async () => {
  const { databaseUrl, ask } = await startService();
  const operator = new Client({ connectionString: databaseUrl });
  await operator.connect();
  onTestFinished(() => operator.end());
  const service = "pg_stat_activity where application_name = 'storefront-fragments' and datname = current_database()";
  const statuses = new Set<number>();
  for (let round = 0; round < 10; round++) {
    const asked = ask();
    await operator.query(`select pg_terminate_backend(pid) from ${service}`);
    for (const status of await asked) statuses.add(status);
  }
  expect(statuses).toEqual(new Set([200, 202]));
});
