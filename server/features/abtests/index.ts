import type { AppContext, Feature } from "../feature.ts";
import { createActiveGroups } from "./active-groups.ts";
import { createEmbeddedAbTests } from "./embedded/active-tests.ts";
import { seedDemoTest } from "./embedded/demo-test.ts";
import { abTestRoutes } from "./embedded/routes.ts";
import type { AbTestService, ActiveGroups, FindTests } from "./service.ts";
import { createAbTestUpstream } from "./upstream.ts";

interface AbTests extends Feature {
  findTests: FindTests;
  groups: ActiveGroups;
}

/**
 * The A/B tests that staff choose from, and whose groups shoppers may see. Unexpected changes are purged from the edge.
 * @param purge - purges a `Surrogate-Key` from the edge; undefined without an edge to purge
 */
export async function createAbTests(context: AppContext, purge?: (key: string) => Promise<void>): Promise<AbTests> {
  const { logger, siteOf, upstreams } = context;
  const real = upstreams.abtest.of(siteOf.default);
  const { findTests, planned } = real ? createAbTestUpstream(real) : await openEmbedded(context);
  const groups = createActiveGroups({ findTests, planned }, logger, purge);
  return {
    service: {
      name: "abtest",
      paths: [{ path: "/service/abtestfrontend", isPublic: true }],
      upstreams: upstreams.abtest,
      routes: real ? [] : [abTestRoutes(findTests)],
    },
    findTests,
    groups,
    jobs: [groups],
  };
}

async function openEmbedded({ env, openStore }: AppContext): Promise<AbTestService> {
  const { db } = await openStore();
  if (env.demo) await seedDemoTest(db);
  return createEmbeddedAbTests(db);
}
