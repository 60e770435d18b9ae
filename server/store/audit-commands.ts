import type { Command } from "commander";
import { UsageError } from "../platform/errors.ts";
import { parseTimeIn, toIso } from "../platform/time.ts";
import { accountIds } from "./audit-events.ts";
import type { CommandContext, Run } from "./command.ts";

interface Options {
  since?: string;
  account?: string;
}

/** Adds the command that lists what operators and members of staff have done. */
export function auditCommands(program: Command, run: Run): void {
  program
    .command("audit")
    .command("list")
    .description("list the events of accounts, staff, erasures, keys, imports and promotions, the earliest first")
    .option("--since <time>", "only those from a time on, such as 2026-11-01, in UTC, or 2026-11-01T18:00:00Z")
    .option("--account <address>", "only those about an address")
    .action(run(listEvents));
}

async function listEvents({ keys, openStore, output }: CommandContext, { since, account }: Options): Promise<void> {
  const from = since === undefined ? 0 : parseTimeIn("UTC", since);
  if (from === undefined)
    throw new UsageError(["--since must be a date or a time, such as 2026-11-01, in UTC, or 2026-11-01T18:00:00Z"]);
  const { db } = await openStore();
  let found = db.selectFrom("auditEvent").selectAll().where("at", ">=", from);
  if (account !== undefined) found = found.where("account", "in", accountIds(keys, account));
  const events = (await found.orderBy("at").orderBy("id").execute()).map(({ id: _, at, counts, ...event }) => ({
    at: toIso(at),
    ...event,
    counts: counts === null ? null : (JSON.parse(counts) as Record<string, number>),
  }));
  if (output.json) await output.show(events);
  else await output.list(events.map(({ counts, ...event }) => ({ ...event, counts: counts && writeCounts(counts) })));
}

function writeCounts(counts: Record<string, number>): string {
  const entries = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  return entries.join(", ");
}
