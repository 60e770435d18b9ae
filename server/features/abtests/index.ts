import type { AppContext, Feature } from "../feature.ts";
import { findActiveTests } from "./embedded/active-tests.ts";
import { seedDemoTest } from "./embedded/demo-test.ts";
import { abTestRoutes } from "./embedded/routes.ts";
import type { FindTests } from "./service.ts";
import { createAbTestUpstream } from "./upstream.ts";

/** The A/B tests that staff choose from. */
export async function createAbTests(context: AppContext): Promise<Feature & { findTests: FindTests }> {
  const { env, openStore, siteOf, upstreams } = context;
  const real = upstreams.abtest.of(siteOf.default);
  const service = {
    name: "abtest",
    paths: [{ path: "/service/abtestfrontend", isPublic: true }],
    upstreams: upstreams.abtest,
  };
  if (real) return { service: { ...service, routes: [] }, findTests: createAbTestUpstream(real) };
  const { db } = await openStore();
  if (env.demo) await seedDemoTest(db);
  const findTests: FindTests = (at) => findActiveTests(db, at);
  return { service: { ...service, routes: [abTestRoutes(findTests)] }, findTests };
}
