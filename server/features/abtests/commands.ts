import type { Command } from "commander";
import { toIso, toIsoOrNull } from "../../platform/time.ts";
import type { Run } from "../../store/command.ts";

/** Adds the command that lists A/B tests, the earliest first. */
export function abTestCommands(program: Command, run: Run): void {
  program
    .command("tests")
    .command("list")
    .description("list the A/B tests")
    .action(
      run(async ({ openStore, output }) => {
        const { db } = await openStore();
        const tests = await db.selectFrom("abTest").selectAll().orderBy("validFrom").orderBy("name").execute();
        const groups = await db.selectFrom("abTestGroup").selectAll().orderBy("position").execute();
        const byTest = Map.groupBy(groups, ({ test }) => test);
        const rows = tests.map(({ name, validFrom, validTo }) => ({
          name,
          groups: (byTest.get(name) ?? []).map((group) => group.name),
          validFrom: toIso(validFrom),
          validTo: toIsoOrNull(validTo),
        }));
        await output.list(rows);
      }),
    );
}
