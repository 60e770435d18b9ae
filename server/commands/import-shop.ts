import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { ShopImport } from "../../schemas/types.ts";
import { refuseBrokenLetters } from "../platform/broken-letters.ts";
import { describeJsonFault } from "../platform/describe-json-fault.ts";
import { StartError, throwFaults } from "../platform/errors.ts";
import { findEndsBeforeStarts, parseTime } from "../platform/time.ts";
import { createValidator } from "../platform/validate.ts";
import type { Audit } from "../store/audit-events.ts";
import type { Run } from "../store/command.ts";
import type { Database } from "../store/open-store.ts";

type Import = Required<Omit<ShopImport, "$schema">>;

/** Adds the command that imports A/B tests and promotions. */
export function importCommand(program: Command, run: Run): void {
  program
    .command("import <file.json>")
    .description("add A/B tests and promotions from a file")
    .action(
      run(async ({ audit, env, openStore, output }, file: string) => {
        await output.say(await importShop((await openStore()).db, file, env.sites, audit));
      }),
    );
}

/**
 * Adds the A/B tests and promotions of a JSON file to the store, all or none. They replace those of the same name or
 * id.
 * @returns a line about what was done
 * @throws StartError naming every fault of the file
 */
async function importShop(db: Database, file: string, sites: readonly string[], audit: Audit): Promise<string> {
  const { abTests = [], promotions = [] } = await readImport(file);
  const faults = await findImportFaults(db, { abTests, promotions }, sites);
  throwFaults(faults.map((fault) => `${file}: ${fault}`));
  const names = new Set((await db.selectFrom("abTest").select("name").execute()).map(({ name }) => name));
  const ids = new Set((await db.selectFrom("promotion").select("id").execute()).map(({ id }) => id));
  await db.transaction().execute(async (transaction) => {
    for (const { name, groups, ...valid } of abTests) {
      await transaction
        .insertInto("abTest")
        .values({ name, ...periodOf(valid) })
        .onConflict((conflict) => conflict.column("name").doUpdateSet(periodOf(valid)))
        .execute();
      await transaction
        .insertInto("abTestGroup")
        .values(groups.map((group, position) => ({ test: name, name: group, position })))
        .onConflict((conflict) =>
          conflict.columns(["test", "name"]).doUpdateSet(({ ref }) => ({ position: ref("excluded.position") })),
        )
        .execute();
    }
    for (const { id, link, test = null, group = null, validFrom, validTo, ...promotion } of promotions) {
      const period = periodOf({ validFrom, validTo });
      const row = { ...promotion, linkUrl: link.url, linkText: link.text, test, testGroup: group, ...period };
      await transaction
        .insertInto("promotion")
        .values({ id, ...row })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
        .execute();
    }
    // Old groups are removed last, because promotions in the store have referred to them until now.
    for (const { name, groups } of abTests)
      await transaction.deleteFrom("abTestGroup").where("test", "=", name).where("name", "not in", groups).execute();
    const counts = { abTests: abTests.length, promotions: promotions.length };
    await audit.record(transaction, { event: "data_imported", subject: "A/B tests and promotions", counts });
  });
  const done = (all: number, replaced: number) => `${all - replaced} added, ${replaced} replaced`;
  const tests = done(abTests.length, abTests.filter(({ name }) => names.has(name)).length);
  return `A/B tests: ${tests}; promotions: ${done(promotions.length, promotions.filter(({ id }) => ids.has(id)).length)}`;
}

async function readImport(file: string): Promise<ShopImport> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new StartError([`${file}: ${error instanceof SyntaxError ? describeJsonFault(error) : "can't be read"}`]);
  }
  const result = refuseBrokenLetters(createValidator<ShopImport>("shop-import"))(content);
  if (!result.valid) throw new StartError(result.faults.map((fault) => `${file}: ${fault}`));
  return result.data;
}

function periodOf({ validFrom, validTo }: { validFrom: string; validTo?: string | undefined }) {
  const end = validTo === undefined ? undefined : parseTime(validTo);
  return { validFrom: parseTime(validFrom) ?? 0, validTo: end ?? null };
}

/** Finds the faults of an import beyond its schema, each as `/path message`. */
async function findImportFaults(
  db: Database,
  { abTests, promotions }: Import,
  sites: readonly string[],
): Promise<string[]> {
  const stored = await db.selectFrom("abTestGroup").select(["test", "name"]).execute();
  const forGroups = db.selectFrom("promotion").select(["id", "test", "testGroup"]).where("test", "is not", null);
  const [names, ids] = [abTests.map(({ name }) => name), promotions.map(({ id }) => id)];
  const kept = (await forGroups.orderBy("id").execute()).filter(({ id }) => !ids.includes(id));
  const groups = new Set([
    ...stored.filter(({ test }) => !names.includes(test)).map(({ test, name }) => `${test} ${name}`),
    ...abTests.flatMap((test) => test.groups.map((group) => `${test.name} ${group}`)),
  ]);
  return [
    ...findRepeated("abTests", "name", names),
    ...findRepeated("promotions", "id", ids),
    ...abTests.flatMap((test, index) => [
      ...findEndsBeforeStarts(test, `/abTests/${index}`),
      ...kept
        .filter((promotion) => promotion.test === test.name && !groups.has(`${test.name} ${promotion.testGroup}`))
        .map(
          ({ id, testGroup }) => `/abTests/${index}/groups must have ${testGroup}, which the promotion ${id} is for`,
        ),
    ]),
    ...promotions.flatMap((promotion, index) => {
      const { site, test, group } = promotion;
      return [
        ...(sites.includes(site) ? [] : [`/promotions/${index}/site must be one of ${sites.join(", ")}`]),
        ...(test === undefined || groups.has(`${test} ${group}`)
          ? []
          : [`/promotions/${index}/group must be a group of an A/B test of the file or the store`]),
        ...findEndsBeforeStarts(promotion, `/promotions/${index}`),
      ];
    }),
  ];
}

function findRepeated(list: string, key: string, values: readonly string[]): string[] {
  return values.flatMap((value, index) =>
    values.indexOf(value) < index ? [`/${list}/${index}/${key} is there twice`] : [],
  );
}
