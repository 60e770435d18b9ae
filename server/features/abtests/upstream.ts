import { second } from "../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../schemas/types.ts";
import { toIso } from "../../platform/time.ts";
import { createValidator } from "../../platform/validate.ts";
import { createFetchJson } from "../../upstream/fetch-json.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { abTestPath, type FindTests } from "./service.ts";

/** Creates the client of the real A/B test service. */
export function createAbTestUpstream(upstream: Upstream): FindTests {
  const fetchJson = createFetchJson({ ...upstream, name: "abtest", deadline: 5 * second, maxAnswer: 256 * 1024 });
  const validate = createValidator<AbTestsAnswer>("ab-tests-answer");
  return async (at) => {
    const path = `${abTestPath}/gettestsat?${new URLSearchParams({ time: toIso(at) })}`;
    return (await fetchJson({ path, validate })) ?? [];
  };
}
