import { Client } from "pg";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { sendSignUp } from "../faults/visitors.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";
import { createStorePlace } from "../support/test-store.ts";
import { startLine } from "./start-line.ts";

afterAll(stopProcesses);

/** More than the pool has connections. */
const emails = Array.from({ length: 16 }, (_, i) => `lost-${i}@shop.example`);

it("a service whose connections to PostgreSQL fall silent answers 503, and recovers over new ones", async () => {
  const { databaseUrl = "" } = await createStorePlace();
  const url = new URL(databaseUrl);
  const line = await startLine(Number(url.port));
  onTestFinished(line.cut);
  url.port = String(line.port);
  const service = startProcess({ DATABASE_URL: url.href, DEMO: "off", TRUST_PROXY: "127.0.0.1" });
  const port = await service.port;
  const operator = new Client({ connectionString: databaseUrl });
  await operator.connect();
  onTestFinished(() => operator.end());
  // Those that wait for this lock are inside a transaction.
  await operator.query("begin; lock table newsletter_subscription in exclusive mode");
  const lost = Promise.all(emails.map((email) => sendSignUp(port, email)));
  const waiting = () =>
    operator.query(
      "select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())",
    );
  await expect.poll(async () => (await waiting()).rowCount, { timeout: 10_000 }).toBeGreaterThan(0);
  line.freeze();
  await operator.query("rollback");
  expect((await fetch(`http://127.0.0.1:${port}/fragments/footer?site=DE`)).status).toBe(200);
  expect(new Set(await lost)).toEqual(new Set([503]));

  line.thaw();
  // The locks of the lost transactions are released, too.
  for (const email of emails) await expect.poll(() => sendSignUp(port, email), { timeout: 20_000 }).toBe(202);
  const { rows } = await operator.query("select email from newsletter_subscription");
  expect(rows.map(({ email }) => email).sort()).toEqual(emails.toSorted());
  const faults = service.stdout().match(/^.*"err":.*$/gm);
  expect(faults, "one line, however many requests fail").toHaveLength(1);
}, 60_000);
