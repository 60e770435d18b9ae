import type { ShopImport } from "../../schemas/types.ts";
import { findEndBeforeStart } from "../validity.ts";
import type { Database } from "./store/open-store.ts";

/** Finds what is wrong with an import beyond its schema: every fault as `/path message`. */
export async function findImportFaults(
  db: Database,
  { abTests, promotions }: Required<Omit<ShopImport, "$schema">>,
  sites: readonly string[],
): Promise<string[]> {
  const stored = await db.selectFrom("abTestGroup").select(["test", "name"]).execute();
  const replaced = new Set(abTests.map(({ name }) => name));
  const groups = new Set([
    ...stored.filter(({ test }) => !replaced.has(test)).map(({ test, name }) => `${test} ${name}`),
    ...abTests.flatMap((test) => test.groups.map((group) => `${test.name} ${group}`)),
  ]);
  const kept = await findKeptPromotions(db, promotions);
  return [
    ...findRepeated(abTests, "abTests", "name"),
    ...findRepeated(promotions, "promotions", "id"),
    ...abTests.flatMap((test, index) => [
      ...findEndBeforeStart(test, `/abTests/${index}`),
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
        ...findEndBeforeStart(promotion, `/promotions/${index}`),
      ];
    }),
  ];
}

/** Finds the promotions for groups that are in the store and that the import leaves as they are. */
async function findKeptPromotions(db: Database, promotions: Required<Omit<ShopImport, "$schema">>["promotions"]) {
  const imported = new Set(promotions.map(({ id }) => id));
  const stored = await db
    .selectFrom("promotion")
    .select(["id", "test", "testGroup"])
    .where("test", "is not", null)
    .orderBy("id")
    .execute();
  return stored.filter(({ id }) => !imported.has(id));
}

function findRepeated<K extends string>(entries: readonly Record<K, string>[], list: string, key: K): string[] {
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    const isRepeated = seen.has(entry[key]);
    seen.add(entry[key]);
    return isRepeated ? [`/${list}/${index}/${key} is there twice`] : [];
  });
}
