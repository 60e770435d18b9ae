import type { Moment } from "../../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../../schemas/types.ts";
import type { Database } from "../../../store/open-store.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    abTest: {
      name: string;
      validFrom: Moment;
      /** The first moment after the test; null if it has no end. */
      validTo: Moment | null;
    };
    abTestGroup: {
      test: string;
      name: string;
      /** Index among the groups of its test. */
      position: number;
    };
  }
}

/** Finds the tests that are active at a moment, by name, with their groups in order. */
export async function findActiveTests(db: Database, at: Moment): Promise<AbTestsAnswer> {
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
