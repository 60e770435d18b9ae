import { type Milliseconds, second } from "../../client/rules/time.ts";
import { isReported, UpstreamError } from "../platform/errors.ts";
import { createHealthLog } from "../platform/health-log.ts";
import type { Job } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import { runJob } from "../platform/request-context.ts";
import type { Site } from "../sites/countries.ts";

interface SitePollerOptions {
  sites: readonly Site[];
  logger: Logger;
  /** Messages for a failure and for the recovery. */
  messages: { down: string; up: string };
  /** Purges a `Surrogate-Key` from the edge; undefined without an edge to purge. */
  purge: ((key: string) => Promise<void>) | undefined;
  /** Asks for a site. Returns whether the answer changes it in a way that the edge couldn't expect. */
  poll(site: Site): Promise<boolean>;
}

interface SiteState {
  site: Site;
  /** Whether the edge still has to be purged. */
  mustPurge: boolean;
  next?: NodeJS.Timeout;
}

/** Time between two polls. With the 3 s of the longest one, a change is seen within the documented 60 s. */
const interval: Milliseconds = 20 * second;
/**
 * Longest pause after a failure. With the longest call of a real service, 2 s, one that has recovered is seen within 5 s.
 * The pause is drawn at random between half of it and the whole, so that sites and replicas don't ask all at once.
 */
const longestPause: Milliseconds = 2 * second;

/**
 * Creates the job that polls every site, and purges from the edge those that change. Its start resolves after the first
 * poll; to start it again polls at once.
 */
export function createSitePoller({ sites, logger, messages, purge, poll }: SitePollerOptions): Job {
  const states = sites.map((site): SiteState => ({ site, mustPurge: false }));
  const health = createHealthLog(logger, messages);
  let isClosed = false;
  return {
    async start() {
      await Promise.all(states.map(keepFresh));
    },
    async close() {
      isClosed = true;
      for (const { next } of states) clearTimeout(next);
    },
  };

  /** Polls a site, and schedules the next poll. */
  async function keepFresh(state: SiteState): Promise<void> {
    clearTimeout(state.next);
    const hasAnswered = await runJob(() => pollOnce(state));
    const pause = hasAnswered ? interval : longestPause * (1 - Math.random() / 2);
    if (!isClosed) state.next = setTimeout(keepFresh, pause, state).unref();
  }

  /** Returns whether there was an answer. */
  async function pollOnce(state: SiteState): Promise<boolean> {
    try {
      if (await poll(state.site)) state.mustPurge = true;
    } catch (error) {
      const reason = error instanceof UpstreamError ? error.message : undefined;
      health.failed({ reason, err: error, site: state.site.site });
      return false;
    }
    health.answered();
    if (state.mustPurge) await purgeEdge(state);
    return true;
  }

  async function purgeEdge(state: SiteState): Promise<void> {
    const { site } = state.site;
    try {
      await purge?.(`country-${site}`);
      state.mustPurge = false;
    } catch (error) {
      if (!isReported(error)) logger.warn({ site, err: error }, "edge purge could not be queued");
    }
  }
}
