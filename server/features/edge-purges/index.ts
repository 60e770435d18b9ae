import type { AppContext, Feature } from "../feature.ts";
import { openForm } from "./forms/open-form.ts";
import { openPurges } from "./queue/purges.ts";

/**
 * Purges everything with a tag.
 * @throws what the store throws
 */
type Purge = (tag: string) => Promise<void>;

/** The purges of the edge. `purge` is undefined if there is no edge to purge. */
export async function createEdgePurges(context: AppContext): Promise<Feature & { purge?: Purge }> {
  const { env, openStore } = context;
  if (!env.edgePurging) return {};
  const { purge, worker } = openPurges((await openStore()).db, openForm(env.edgePurging), context);
  return { purge, jobs: [worker] };
}
