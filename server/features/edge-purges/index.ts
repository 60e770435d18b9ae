import type { AppContext, Feature } from "../feature.ts";
import { openPurges } from "./purges.ts";

/**
 * Purges everything with a `Surrogate-Key`.
 * @throws what the store throws
 */
type Purge = (key: string) => Promise<void>;

/** The purges of the edge. `purge` is undefined if there is no edge to purge. */
export async function createEdgePurges(context: AppContext): Promise<Feature & { purge?: Purge }> {
  const { env, openStore } = context;
  if (env.purgeUrl === undefined) return {};
  const { purge, worker } = openPurges((await openStore()).db, env.purgeUrl, context);
  return { purge, jobs: [worker] };
}
