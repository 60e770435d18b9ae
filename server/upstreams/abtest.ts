import { type Moment, second } from "../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../schemas/types.ts";
import { createAnswerValidator } from "../validate.ts";
import { createFetchJson } from "./fetch-json.ts";
import type { Upstream } from "./upstream.ts";

const name = "abtest";
const path = "/service/abtestfrontend/api/v1/gettestsat";

/** Longest time for one call. */
const deadline = 5 * second;
const maxAnswer = 256 * 1024;

/**
 * Creates the caller of the real A/B test service.
 * @returns a function that finds the tests that are active at a moment, and throws UpstreamError
 */
export function createAbTestUpstream(upstream: Upstream): (at: Moment) => Promise<AbTestsAnswer> {
  const fetchJson = createFetchJson({ ...upstream, name, deadline, maxAnswer });
  const validate = createAnswerValidator<AbTestsAnswer>("ab-tests-answer");
  return async (at) => {
    const query = new URLSearchParams({ time: new Date(at).toISOString() });
    return (await fetchJson({ path: `${path}?${query}`, validate })) ?? [];
  };
}
