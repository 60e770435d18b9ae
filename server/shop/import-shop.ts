import { readFile } from "node:fs/promises";
import type { ShopImport } from "../../schemas/types.ts";
import { StartError } from "../errors.ts";
import { parseTime } from "../parse-time.ts";
import { createValidator } from "../validate.ts";
import { findImportFaults } from "./find-import-faults.ts";
import type { Database } from "./store/open-store.ts";

/**
 * Adds the A/B tests and promotions of a JSON file to the store, all or none; those of the same name or id are
 * replaced.
 * @returns a line that says what was done
 * @throws StartError naming every fault of the file
 */
export async function importShop(db: Database, file: string, sites: readonly string[]): Promise<string> {
  const { abTests = [], promotions = [] } = await readImport(file);
  const faults = await findImportFaults(db, { abTests, promotions }, sites);
  if (faults.length > 0) throw new StartError(faults.map((fault) => `${file}: ${fault}`));
  await db.transaction().execute(async (transaction) => {
    for (const { name, groups, ...valid } of abTests) {
      await transaction
        .insertInto("abTest")
        .values({ name, ...periodOf(valid) })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(periodOf(valid)))
        .execute();
      for (const [position, group] of groups.entries())
        await transaction
          .insertInto("abTestGroup")
          .values({ test: name, name: group, position })
          .onConflict((conflict) => conflict.columns(["test", "name"]).doUpdateSet({ position }))
          .execute();
    }
    for (const { id, link, test = null, group = null, validFrom, validTo, ...promotion } of promotions) {
      const row = {
        ...promotion,
        linkUrl: link.url,
        linkText: link.text,
        test,
        testGroup: group,
        ...periodOf({ validFrom, validTo }),
      };
      await transaction
        .insertInto("promotion")
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
        .execute();
    }
    // Old groups are removed last, as promotions in the store were for them until now.
    for (const { name, groups } of abTests)
      await transaction.deleteFrom("abTestGroup").where("test", "=", name).where("name", "not in", groups).execute();
  });
  return `${abTests.length} A/B tests and ${promotions.length} promotions imported`;
}

async function readImport(file: string): Promise<ShopImport> {
  const validate = createValidator<ShopImport>("shop-import");
  const result = validate(await readJson(file));
  if (!result.valid) throw new StartError(result.faults.map((fault) => `${file}: ${fault}`));
  return result.data;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new StartError([`${file}: ${error instanceof SyntaxError ? "is no JSON" : "can't be read"}`]);
  }
}

function periodOf({ validFrom, validTo }: { validFrom: string; validTo?: string | undefined }) {
  const end = validTo === undefined ? undefined : parseTime(validTo);
  return { validFrom: parseTime(validFrom) ?? 0, validTo: end ?? null };
}
