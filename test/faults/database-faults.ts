import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { isConnectionLost, retry } from "../../server/store/postgres-pool.ts";
import { type Line, startLine } from "../postgres/start-line.ts";
import { onStore, startReplica } from "../support/start-process.ts";
import { createStorePlace } from "../support/test-store.ts";
import { atLeast, atMost, none, type Proof, scaled } from "./proof.ts";
import { askFooter, createVisitors, type Footers, settleSignUps } from "./visitors.ts";

/**
 * Breaks a database over a connection of its owner.
 * @returns the function that repairs it
 */
type Fault = (query: Client["query"], line: Line) => Promise<() => unknown>;

const faults: Record<string, Fault> = {
  "lost connections": async (_query, line) => {
    line.freeze();
    return line.thaw;
  },
  "a crash of the server": async (query) => {
    // PostgreSQL restarts all of its processes when one of them is killed.
    const { rows } = await query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    for (const { pid } of rows.slice(0, 1)) process.kill(pid, "SIGKILL");
    return () => undefined;
  },
  "a full disk": async (query) => {
    await query(`create function fill() returns trigger language plpgsql
      as $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`);
    await query("create trigger fill before insert on newsletter_subscription execute function fill()");
    return () => query("drop function fill cascade");
  },
  "a fail-over to a read-only database": async (query) => {
    const { rows } = await query<{ name: string }>("select current_database() as name");
    const set = async (value: "on" | "off") => {
      await query(`alter database "${rows[0]?.name}" set default_transaction_read_only = ${value}`);
      await query("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()");
    };
    await set("on");
    return () => set("off");
  },
  "a locked table": async (query) => {
    await query("begin");
    await query("lock table newsletter_subscription in access exclusive mode");
    return () => query("rollback");
  },
};

/** Connects to a database past the line. */
async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

export const databaseFaults: Proof = {
  name: "database faults",
  waits: true,
  does: "Visitors ask for footers and sign up without a pause while PostgreSQL fails in several ways, one after the other. Visitors who are refused try again.",
  async run(trial) {
    const place = await createStorePlace(undefined, trial.postgresUrl);
    const owner = new URL(place.databaseUrl ?? "");
    const line = await startLine(Number(owner.port));
    const url = new URL(owner);
    url.port = String(line.port);
    const service = await startReplica(onStore({ ...place, databaseUrl: url.href }));
    const footers: Footers = { asked: 0, failed: [] };
    const visitors = createVisitors();
    const wrongSignUps: string[] = [];
    let refused = 0;
    let slowest: Milliseconds = 0;
    const recoveries = new Map<string, Milliseconds>();
    let isOver = false;
    const repeat = async (call: () => Promise<unknown>) => {
      while (!isOver) await call();
    };
    const load = [repeat(() => askFooter(service.port, footers)), repeat(signUp), repeat(signUp)];

    const rounds = scaled(20, trial);
    for (let round = 0; round < rounds; round++) {
      for (const [fault, breakDatabase] of Object.entries(faults)) {
        // One connection per fault, because some faults end it.
        const client = await connect(owner.href);
        const repair = await breakDatabase(client.query.bind(client), line);
        await pause(scaled(5 * second, trial, second / 2));
        await repair();
        // After a crash, PostgreSQL first replays what other tests have written since its last checkpoint.
        const reached = await retry(() => connect(owner.href), isConnectionLost, minute);
        await reached.end();
        const began = performance.now();
        while (!(await signUp()) && performance.now() - began < 30 * second) await pause(100);
        recoveries.set(fault, Math.max(recoveries.get(fault) ?? 0, performance.now() - began));
        await client.end().catch(() => undefined);
      }
    }
    isOver = true;
    await Promise.all(load);
    await service.kill();
    const settled = await settleSignUps("PostgreSQL", place, visitors);
    await line.cut();
    return [
      atLeast("footers", footers.asked, 100),
      none("footers that aren't 200", footers.failed),
      atLeast("refused sign-ups", refused, rounds * 2),
      none("answers to sign-ups but 202 and 503", wrongSignUps),
      // A sign-up waits for a connection twice, and then for one that is lost.
      atMost("slowest sign-up", slowest / second, 10, "s"),
      ...Array.from(recoveries, ([fault, longest]) =>
        atMost(`sign-ups are taken again after ${fault}`, longest / second, 5, "s"),
      ),
      ...settled,
    ];

    async function signUp(): Promise<boolean> {
      const began = performance.now();
      const isAnswered = await visitors.signUp(service.port).catch((error: Error) => {
        if (error.message.endsWith(" 503")) refused++;
        else wrongSignUps.push(error.message);
        return false;
      });
      slowest = Math.max(slowest, performance.now() - began);
      return isAnswered;
    }
  },
};
