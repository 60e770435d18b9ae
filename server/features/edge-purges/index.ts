import type { AppContext, Feature } from "../feature.ts";
import { createPurgeChecks, type EtagOf } from "./check-purges.ts";
import { openForm } from "./forms/open-form.ts";
import { openPurges } from "./queue/purges.ts";

/**
 * Purges everything with a tag.
 * @throws what the store throws
 */
type Purge = (tag: string) => Promise<void>;

/**
 * The purges of the edge. `purge` is undefined if there is no edge to purge.
 * @param etagOf - tells what the edge should answer after a purge
 */
export async function createEdgePurges(context: AppContext, etagOf: EtagOf): Promise<Feature & { purge?: Purge }> {
  const { env, openStore } = context;
  if (!env.edgePurging) return {};
  const checks = env.edgePurging.check ? createPurgeChecks(context, etagOf) : undefined;
  const form = openForm(env.edgePurging);
  const { purge, worker } = openPurges((await openStore()).db, form, { ...context, onAccepted: checks?.begin });
  return { purge, jobs: [worker, ...(checks ? [{ start: () => undefined, close: checks.close }] : [])] };
}
