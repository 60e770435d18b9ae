import { sql } from "kysely";
import { Client } from "pg";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { StartError } from "../../server/platform/errors.ts";
import { openStore } from "../../server/store/open-store.ts";
import { testLogger } from "../support/test-app.ts";
import { createStorePlace, emptyTables, openTestStore } from "../support/test-store.ts";

describe("a store in PostgreSQL", () => {
  it("is opened by several replicas at once, one of which creates the tables", async () => {
    const place = await createStorePlace();
    const replicas = await Promise.all(Array.from({ length: 4 }, () => openTestStore(testLogger, place)));
    await Promise.all(
      replicas.map(({ db }, i) =>
        db
          .insertInto("abTest")
          .values({ name: `of-${i}`, validFrom: i, validTo: null })
          .execute(),
      ),
    );
    for (const { db } of replicas) {
      expect(await db.selectFrom("abTest").select("validFrom").orderBy("validFrom").execute()).toEqual(
        replicas.map((_replica, validFrom) => ({ validFrom })),
      );
    }
  });

  /** Another process, which may lock what the store needs. */
  const connect = async (connectionString?: string) => {
    const client = new Client({ connectionString });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };

  it("migrates without time limits, whatever the role's own are", async () => {
    const place = await createStorePlace(emptyTables);
    const other = await connect(place.databaseUrl);
    const observer = await connect(place.databaseUrl);
    await other.query(`alter database ${other.escapeIdentifier(other.database ?? "")} set statement_timeout = '3s'`);
    await other.query("begin; lock table kysely_migration");
    const opened = openTestStore(testLogger, place);
    const longWaits = () =>
      observer.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query_start < now() - interval '6 s'",
      );
    await expect.poll(async () => (await longWaits()).rowCount, { timeout: 15_000 }).toBe(1);
    await other.query("rollback");
    expect(await (await opened).db.selectFrom("abTest").selectAll().execute()).toEqual([]);
  });

  it("runs commands without the time limits of requests", async () => {
    const limit = async (noTimeouts: boolean) => {
      const place = await createStorePlace(emptyTables);
      const { db, close } = await openStore({ ...place, logger: testLogger, noTimeouts });
      onTestFinished(close);
      return (await sql<{ statementTimeout: string }>`show statement_timeout`.execute(db)).rows[0]?.statementTimeout;
    };
    expect([await limit(false), await limit(true)]).toEqual(["3s", "0"]);
  });

  const faultOf = async (databaseUrl: string) => {
    const { dataDir } = await createStorePlace();
    return openStore({ databaseUrl, dataDir, logger: testLogger }).then(
      () => [],
      (error: unknown) => (error instanceof StartError ? error.faults : String(error)),
    );
  };
  const change = (part: Partial<Pick<URL, "password" | "pathname">>) =>
    Object.assign(new URL(inject("postgresUrl")), part).href;

  it("refuses to start, with one line, with a wrong password or an unknown database", async () => {
    expect(await faultOf(change({ password: "secret" }))).toEqual([
      expect.stringMatching(/^store: can't open .* \(password authentication failed for user "postgres"\)$/),
    ]);
    expect(await faultOf(change({ pathname: "/none" }))).toEqual([
      expect.stringMatching(/^store: can't open .* \(database "none" does not exist\)$/),
    ]);
  });
});
