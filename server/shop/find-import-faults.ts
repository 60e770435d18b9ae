import type { ShopImport } from "../../schemas/types.ts";
import { findEndBeforeStart } from "../validity.ts";
import type { Database } from "./store/open-store.ts";

/** Finds what is wrong with an import beyond its schema: every fault as `/path message`. */
export async function findImportFaults(
  db: Database,
  { abTests, promotions }: Required<ShopImport>,
  sites: readonly string[],
): Promise<string[]> {
  const stored = await db.selectFrom("abTestGroup").select(["test", "name"]).execute();
  const groups = new Set([
    ...stored.map(({ test, name }) => `${test} ${name}`),
    ...abTests.flatMap((test) => test.groups.map((group) => `${test.name} ${group}`)),
  ]);
  return [
    ...findRepeated(abTests, "abTests", "name"),
    ...findRepeated(promotions, "promotions", "id"),
    ...abTests.flatMap((test, index) => findEndBeforeStart(test, `/abTests/${index}`)),
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

function findRepeated<K extends string>(entries: readonly Record<K, string>[], list: string, key: K): string[] {
  const seen = new Set<string>();
  return entries.flatMap((entry, index) => {
    const isRepeated = seen.has(entry[key]);
    seen.add(entry[key]);
    return isRepeated ? [`/${list}/${index}/${key} is there twice`] : [];
  });
}
