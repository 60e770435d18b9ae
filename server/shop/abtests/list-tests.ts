import { toIso, toIsoOrNull } from "../../format-time.ts";
import type { Database } from "../store/open-store.ts";

/** Lists the A/B tests, the earliest first, with their groups in their order. */
export async function listTests(db: Database) {
  const tests = await db.selectFrom("abTest").selectAll().orderBy("validFrom").orderBy("name").execute();
  const groups = await db.selectFrom("abTestGroup").selectAll().orderBy("position").execute();
  const byTest = Map.groupBy(groups, ({ test }) => test);
  return tests.map(({ name, validFrom, validTo }) => ({
    name,
    groups: (byTest.get(name) ?? []).map((group) => group.name),
    ...{ validFrom: toIso(validFrom), validTo: toIsoOrNull(validTo) },
  }));
}
