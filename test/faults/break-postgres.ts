import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { second } from "../../client/rules/time.ts";
import { startLine } from "../postgres/start-line.ts";
import { startPostgres } from "../postgres/start-postgres.ts";

/** Makes whole again what was broken. */
type Mend = () => Promise<unknown>;

export interface BreakablePostgres {
  /** Its address over a line that can be lost. */
  url: string;
  /** Asks it past the line, and gives the rows. */
  query(sql: string): Promise<Record<string, unknown>[]>;
  /** Each breaks it in one way. */
  faults: Record<DatabaseFault, () => Promise<Mend>>;
  stop(): Promise<void>;
}

export type DatabaseFault =
  | "connections ended"
  | "connections lost"
  | "disk full"
  | "read-only"
  | "server crashed"
  | "server frozen"
  | "table locked";

/** Where PostgreSQL says what the service's connections do. */
const service = "pg_stat_activity where application_name = 'storefront-fragments'";

/** Starts a PostgreSQL that can be broken while a service uses it. */
export async function startBreakablePostgres(): Promise<BreakablePostgres> {
  const postgres = await startPostgres();
  const url = new URL(postgres.url);
  const line = await startLine(Number(url.port));
  url.port = String(line.port);

  return {
    url: url.href,
    query,
    faults: {
      /** As a fail-over does. Somebody is in the middle of a transaction. */
      async "connections ended"() {
        const unlock = await lockTable("exclusive");
        await untilSomeoneWaits();
        await query(`select pg_terminate_backend(pid) from ${service}`);
        await unlock();
        return async () => undefined;
      },
      async "connections lost"() {
        line.freeze();
        return async () => line.thaw();
      },
      /** As PostgreSQL reports it. */
      async "disk full"() {
        await query(`create function fill() returns trigger language plpgsql
          as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
        await query("create trigger fill before insert on newsletter_subscription execute function fill()");
        return () => query("drop function fill cascade");
      },
      /** As after a fail-over to a standby. */
      async "read-only"() {
        await setReadOnly("on");
        return () => setReadOnly("off");
      },
      async "server crashed"() {
        await postgres.crash();
        return async () => undefined;
      },
      async "server frozen"() {
        const operator = await connect();
        process.kill(postgres.pid(), "SIGSTOP");
        const { rows } = await operator.query<{ pid: number }>("select pid from pg_stat_activity");
        const pids = [postgres.pid(), ...rows.map(({ pid }) => pid)];
        for (const pid of pids) process.kill(pid, "SIGSTOP");
        return async () => {
          for (const pid of pids) process.kill(pid, "SIGCONT");
          await operator.end();
        };
      },
      "table locked": () => lockTable("access exclusive"),
    },
    async stop() {
      await line.cut();
      await postgres.stop();
    },
  };

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    return client;
  }

  async function query(sql: string): Promise<Record<string, unknown>[]> {
    const client = await connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  async function lockTable(mode: string): Promise<Mend> {
    const locker = await connect();
    await locker.query(`begin; lock table newsletter_subscription in ${mode} mode`);
    return () => locker.end();
  }

  async function untilSomeoneWaits(): Promise<void> {
    const end = performance.now() + 10 * second;
    while ((await query(`select 1 from ${service} and wait_event_type = 'Lock'`)).length === 0) {
      if (performance.now() > end) throw new Error("nobody waits for the lock");
      await pause(20);
    }
  }

  async function setReadOnly(value: "on" | "off"): Promise<void> {
    await query(`alter system set default_transaction_read_only = ${value}`);
    await query("select pg_reload_conf()");
  }
}
