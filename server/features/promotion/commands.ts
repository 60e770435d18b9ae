import type { Command } from "commander";
import { toIso, toIsoOrNull } from "../../platform/time.ts";
import type { Run } from "../../store/command.ts";

/** Adds the command that lists promotions, the earliest first, each with the A/B group that it is limited to. */
export function promotionCommands(program: Command, run: Run): void {
  program
    .command("promotions")
    .command("list")
    .description("list the promotions")
    .action(
      run(async ({ openStore, output }) => {
        const { db } = await openStore();
        const rows = await db
          .selectFrom("promotion")
          .select(["id", "key", "site", "headline", "validFrom", "validTo", "test", "testGroup as group"])
          .orderBy("validFrom")
          .orderBy("id")
          .execute();
        const listed = rows.map(({ validFrom, validTo, ...promotion }) => ({
          ...promotion,
          validFrom: toIso(validFrom),
          validTo: toIsoOrNull(validTo),
        }));
        await output.list(listed);
      }),
    );
}
