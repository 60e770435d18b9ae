import type { Moment } from "../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../schemas/types.ts";

/**
 * Finds the A/B tests that are active at a time.
 * @throws UpstreamError, or what the store throws
 */
export type FindTests = (at: Moment) => Promise<AbTestsAnswer>;

/** The path of the A/B test service. */
export const abTestPath = "/service/abtestfrontend/api/v1";
