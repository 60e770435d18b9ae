import { hour, type Milliseconds, type Moment } from "../../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../../schemas/types.ts";
import type { Database } from "../../../store/open-store.ts";
import type { AbTestService } from "../service.ts";

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

/** How far a plan reaches into the future: longer than footers are cached, and longer than the plan is kept. */
const ahead: Milliseconds = hour;

/** Creates the embedded A/B test service. */
export function createEmbeddedAbTests(db: Database): AbTestService {
  return {
    findTests: async (at) => groupByTest(await selectTests(db, at, at).execute()),
    async planned() {
      const at = Date.now();
      const rows = await selectTests(db, at, at + ahead).execute();
      const changes = rows
        .flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? Infinity])
        .filter((change) => at < change && change <= at + ahead);
      return [at, ...new Set(changes)]
        .sort((a, b) => a - b)
        .map((from) => ({
          from,
          tests: groupByTest(rows.filter((row) => row.validFrom <= from && from < (row.validTo ?? Infinity))),
        }));
    },
  };
}

/** Selects the groups of the tests that are active at any time between two moments, by test, and in their order. */
function selectTests(db: Database, from: Moment, until: Moment) {
  return db
    .selectFrom("abTest")
    .innerJoin("abTestGroup", "abTestGroup.test", "abTest.name")
    .select(["abTest.name as test", "abTestGroup.name as group", "validFrom", "validTo"])
    .where("validFrom", "<=", until)
    .where(({ eb, or }) => or([eb("validTo", "is", null), eb("validTo", ">", from)]))
    .orderBy("abTest.name")
    .orderBy("position");
}

function groupByTest(rows: readonly { test: string; group: string }[]): AbTestsAnswer {
  const groups = Map.groupBy(rows, ({ test }) => test);
  return [...groups].map(([name, members]) => ({ name, groups: members.map(({ group }) => ({ name: group })) }));
}
