import type { Command } from "commander";
import { toIso, toIsoOrNull } from "../../platform/time.ts";
import type { Run } from "../../store/command.ts";
import type { Database } from "../../store/open-store.ts";

/** Adds the command that lists promotions. */
export function promotionCommands(program: Command, run: Run): void {
  program
    .command("promotions")
    .command("list")
    .description("list the promotions")
    .action(run(async ({ openStore, output }) => output.list(await listPromotions((await openStore()).db))));
}

/** Lists the promotions, the earliest first, each with the group of the A/B test that it is limited to. */
async function listPromotions(db: Database) {
  const rows = await db
    .selectFrom("promotion")
    .select(["id", "key", "site", "headline", "validFrom", "validTo", "test", "testGroup as group"])
    .orderBy("validFrom")
    .orderBy("id")
    .execute();
  return rows.map(({ validFrom, validTo, ...promotion }) => ({
    ...promotion,
    ...{ validFrom: toIso(validFrom), validTo: toIsoOrNull(validTo) },
  }));
}
