import type { Moment } from "../../../client/rules/time.ts";
import type { Database } from "../store/open-store.ts";

export interface ActiveTest {
  name: string;
  groups: { name: string }[];
}

/** Finds the tests that are active at a moment, in the order of their names, with their groups in their order. */
export async function findActiveTests(db: Database, at: Moment): Promise<ActiveTest[]> {
  const rows = await db
    .selectFrom("abTest")
    .innerJoin("abTestGroup", "abTestGroup.test", "abTest.name")
    .select(["abTest.name as test", "abTestGroup.name as group"])
    .where("validFrom", "<=", at)
    .where(({ eb, or }) => or([eb("validTo", "is", null), eb("validTo", ">", at)]))
    .orderBy("abTest.name")
    .orderBy("position")
    .execute();
  const groups = Map.groupBy(rows, ({ test }) => test);
  return [...groups].map(([name, members]) => ({ name, groups: members.map(({ group }) => ({ name: group })) }));
}
