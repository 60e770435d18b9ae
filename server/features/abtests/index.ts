import { type Moment, second } from "../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../schemas/types.ts";
import { createValidator } from "../../platform/validate.ts";
import { createFetchJson } from "../../upstream/fetch-json.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import type { AppContext, Feature } from "../feature.ts";
import { abTestRoutes, findActiveTests, seedDemoTest } from "./embedded.ts";
import type { FindTests } from "./service.ts";

interface AbTests extends Feature {
  findTests: FindTests;
}

/** The A/B tests that staff choose from. */
export async function createAbTests({ env, upstreams, openStore }: AppContext): Promise<AbTests> {
  const service = { name: "abtest", paths: [{ path: "/service/abtestfrontend" }], upstream: upstreams.abtest };
  if (upstreams.abtest)
    return { service: { ...service, routes: [] }, findTests: createAbTestUpstream(upstreams.abtest) };
  const { db } = await openStore();
  if (env.demo) await seedDemoTest(db);
  return { service: { ...service, routes: [abTestRoutes(db)] }, findTests: (at) => findActiveTests(db, at) };
}

const name = "abtest";
const path = "/service/abtestfrontend/api/v1/gettestsat";

/** Longest time for one call. */
const deadline = 5 * second;
const maxAnswer = 256 * 1024;

/**
 * Creates the caller of the real A/B test service.
 * @returns a function that finds the tests that are active at a moment, and throws UpstreamError
 */
function createAbTestUpstream(upstream: Upstream): (at: Moment) => Promise<AbTestsAnswer> {
  const fetchJson = createFetchJson({ ...upstream, name, deadline, maxAnswer });
  const validate = createValidator<AbTestsAnswer>("ab-tests-answer", "answers");
  return async (at) => {
    const query = new URLSearchParams({ time: new Date(at).toISOString() });
    return (await fetchJson({ path: `${path}?${query}`, validate })) ?? [];
  };
}
