import type { Moment } from "../../../client/rules/time.ts";

export interface ActiveTest {
  name: string;
  groups: { name: string }[];
}

/** Finds the A/B tests that are active at a time. It throws UpstreamError, or what the store throws. */
export type FindTests = (at: Moment) => Promise<ActiveTest[]>;
