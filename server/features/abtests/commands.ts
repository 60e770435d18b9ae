import type { Command } from "commander";
import { toIso, toIsoOrNull } from "../../platform/time.ts";
import type { Run } from "../../store/command.ts";
import type { Database } from "../../store/open-store.ts";

/** Adds the command that lists A/B tests. */
export function abTestCommands(program: Command, run: Run): void {
  program
    .command("tests")
    .command("list")
    .description("list the A/B tests")
    .action(run(async ({ openStore, output }) => output.list(await listTests((await openStore()).db))));
}

/** Lists the A/B tests, the earliest first, with their groups in their order. */
async function listTests(db: Database) {
  const tests = await db.selectFrom("abTest").selectAll().orderBy("validFrom").orderBy("name").execute();
  const groups = await db.selectFrom("abTestGroup").selectAll().orderBy("position").execute();
  const byTest = Map.groupBy(groups, ({ test }) => test);
  return tests.map(({ name, validFrom, validTo }) => ({
    name,
    groups: (byTest.get(name) ?? []).map((group) => group.name),
    ...{ validFrom: toIso(validFrom), validTo: toIsoOrNull(validTo) },
  }));
}
