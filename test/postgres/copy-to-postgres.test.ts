import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { minute } from "../../client/rules/time.ts";
import { createVisitors } from "../faults/visitors.ts";
import { openBrowser } from "../support/open-browser.ts";
import { runCommand } from "../support/run-command.ts";
import { startProcess, stopProcesses } from "../support/start-process.ts";
import { createStorePlace, emptyTables } from "../support/test-store.ts";

afterAll(stopProcesses);
// An idle machine needs a second for each command, a busy one many times that.
vi.setConfig({ testTimeout: 3 * minute });

const password = "open sesame";
/** More rows than one insert copies. */
const mailboxes = 1_200;

async function query(databaseUrl: string, sql: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return (await client.query(sql)).rows;
}

function write(dataDir: string, sql: string) {
  const database = new DatabaseSync(join(dataDir, "storefront.sqlite"));
  database.exec(sql);
  database.close();
}

it("one command moves all data from SQLite to PostgreSQL, and sessions stay valid", async () => {
  const place = await createStorePlace();
  const { dataDir } = place;
  // As libpq writes it.
  const databaseUrl = place.databaseUrl?.replace("postgres:", "postgresql:") ?? "";
  const environment = { DATA_DIR: dataDir, DEMO_PASSWORD: password, TRUST_PROXY: "127.0.0.1" };
  const embedded = startProcess(environment);
  const port = await embedded.port;
  const customer = openBrowser();
  expect(await customer.signIn(`http://127.0.0.1:${port}`, "demo@example.com", password)).toBe(200);
  await createVisitors().signUp(port);

  const SECRET_KEY = (await readFile(join(dataDir, "secret.key"), "utf8")).trim();
  const copy = (to: string) => runCommand({ DATA_DIR: dataDir, SECRET_KEY, DATABASE_URL: to }, "copy-to-postgres");
  expect(await copy(databaseUrl)).toEqual({
    code: 1,
    stdout: "",
    stderr: `${join(dataDir, "storefront.sqlite")} is in use: stop the service first\n`,
  });
  embedded.signal("SIGKILL");
  await embedded.ended;
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${mailboxes})`;
  write(dataDir, `delete from mailbox; insert into mailbox ${numbers} select i || '@shop.example', i from n`);
  const { code, stdout, stderr } = await copy(databaseUrl);
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.trim().split("\n");
  for (const line of lines) expect(line).toMatch(/^(\w+): (\d+) rows here, \2 there$/);
  expect(lines).toEqual(
    expect.arrayContaining([
      `mailbox: ${mailboxes} rows here, ${mailboxes} there`,
      "newsletter_subscription: 1 rows here, 1 there",
    ]),
  );
  expect(await query(databaseUrl, "select count(distinct address)::int from mailbox")).toEqual([{ count: mailboxes }]);

  const moved = startProcess({ ...environment, SECRET_KEY, DATABASE_URL: databaseUrl });
  expect(await customer.renew(`http://127.0.0.1:${await moved.port}`)).toBe(201);
  moved.signal("SIGKILL");
  await moved.ended;
});

it("nothing is copied to a database that isn't empty, or if one row is rejected", async () => {
  const { dataDir } = await createStorePlace();
  await runCommand({ DATA_DIR: dataDir }, "tests", "list");
  write(dataDir, "insert into ab_test (name, valid_from) values ('ours', 0)");
  const copy = (to?: string) =>
    runCommand({ DATA_DIR: dataDir, ...(to && { DATABASE_URL: to, SECRET_KEY: "A".repeat(43) }) }, "copy-to-postgres");
  expect(await copy()).toMatchObject({ code: 1, stderr: "DATABASE_URL must be the PostgreSQL database to copy to\n" });

  const { databaseUrl = "" } = await createStorePlace(emptyTables);
  await query(databaseUrl, "insert into ab_test (name, valid_from) values ('of somebody', 0)");
  expect(await copy(databaseUrl)).toEqual({
    code: 1,
    stdout: "",
    stderr: "PostgreSQL isn't empty: ab_test has 1 rows\n",
  });
  expect(await query(databaseUrl, "select name from ab_test")).toEqual([{ name: "of somebody" }]);

  await query(databaseUrl, "delete from ab_test");
  write(dataDir, "insert into mailbox (address, asked_at) values ('a' || char(0), 0)");
  expect(await copy(databaseUrl)).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^nothing was copied \(.*0x00\)\n$/),
  });
  expect(await query(databaseUrl, "select name from ab_test")).toEqual([]);
});

it("nothing is written to the SQLite file while it is copied, as by a service that starts", async () => {
  const { dataDir } = await createStorePlace();
  await runCommand({ DATA_DIR: dataDir }, "tests", "list");
  const { databaseUrl = "" } = await createStorePlace(emptyTables);
  const [holding, observing] = [new Client(databaseUrl), new Client(databaseUrl)];
  for (const client of [holding, observing]) {
    await client.connect();
    onTestFinished(() => client.end());
  }
  await holding.query("begin; lock table newsletter_subscription");
  const copied = runCommand(
    { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SECRET_KEY: "A".repeat(43) },
    "copy-to-postgres",
  );
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await observing.query(waiting)).rows, { timeout: minute }).toHaveLength(1);
  const signUp = "insert into mailbox (address, asked_at) values ('ada@shop.example', 0)";
  expect(() => write(dataDir, signUp)).toThrow("database is locked");
  await holding.query("rollback");
  expect(await copied).toMatchObject({ code: 0, stderr: "" });
  write(dataDir, signUp);
});
