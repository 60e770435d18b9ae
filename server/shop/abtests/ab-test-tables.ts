import type { Moment } from "../../../client/rules/time.ts";

declare module "../store/tables.ts" {
  interface Tables {
    abTest: AbTestTable;
    abTestGroup: AbTestGroupTable;
  }
}

interface AbTestTable {
  name: string;
  validFrom: Moment;
  /** The first moment at which the test isn't active any more; null when it has no end. */
  validTo: Moment | null;
}

interface AbTestGroupTable {
  test: string;
  name: string;
  /** Place among the groups of its test, counted from 0. */
  position: number;
}
