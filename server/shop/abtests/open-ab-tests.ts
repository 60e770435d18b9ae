import type { Moment } from "../../../client/rules/time.ts";
import type { EmbeddedService } from "../embedded-service.ts";
import type { Database } from "../store/open-store.ts";
import { abTestRoutes } from "./ab-test-routes.ts";
import { type ActiveTest, findActiveTests } from "./find-active-tests.ts";

/** Finds the A/B tests that are active at a time. */
export type FindTests = (at: Moment) => Promise<ActiveTest[]>;

/** Opens the embedded service of A/B tests. */
export function openAbTests(db: Database): EmbeddedService & { find: FindTests } {
  return { find: (at) => findActiveTests(db, at), routes: [abTestRoutes(db)], jobs: [] };
}
