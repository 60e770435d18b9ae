import type { Moment } from "../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../schemas/types.ts";
import type { AbGroup } from "../../rendering/ab-group.ts";

/** The A/B tests that are active from a moment until the next entry of the plan. */
export interface PlannedTests {
  from: Moment;
  tests: AbTestsAnswer;
}

/** The A/B test service, embedded or real. Its functions throw UpstreamError, or what the store throws. */
export interface AbTestService {
  /** Finds the A/B tests that are active at a time. */
  findTests: FindTests;
  /** Lists the tests that are active now, and the known changes, in the order of time. */
  planned(): Promise<PlannedTests[]>;
}

export type FindTests = (at: Moment) => Promise<AbTestsAnswer>;

/** The groups of active A/B tests, which shoppers may see. */
export interface ActiveGroups {
  /**
   * Whether the test of a group is active at a moment and has this group, and until when that is so: Infinity if no
   * change is known. Undefined if it isn't known.
   */
  stateOf(group: AbGroup, at: Moment): { isActive: boolean; until: Moment } | undefined;
  /**
   * Keeps the tests available from now on.
   * @returns the end of the first fetch; undefined if that is over
   */
  want(): Promise<void> | undefined;
}

/** The path of the A/B test service. */
export const abTestPath = "/service/abtestfrontend/api/v1";
