import type { Database } from "../store/open-store.ts";

export interface AbTest {
  name: string;
  groups: { name: string }[];
}

/** The tests that are active at a point in time, by name, with their groups in their order. */
export async function findActiveTests(db: Database, at: Date): Promise<AbTest[]> {
  const time = at.getTime();
  const rows = await db
    .selectFrom("abTest")
    .innerJoin("abTestGroup", "abTestGroup.test", "abTest.name")
    .select(["abTest.name as test", "abTestGroup.name as group"])
    .where("validFrom", "<=", time)
    .where(({ eb, or }) => or([eb("validTo", "is", null), eb("validTo", ">", time)]))
    .orderBy("abTest.name")
    .orderBy("position")
    .execute();
  const groups = Map.groupBy(rows, ({ test }) => test);
  return [...groups].map(([name, members]) => ({ name, groups: members.map(({ group }) => ({ name: group })) }));
}
