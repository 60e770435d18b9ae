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
  /** Messages for an outage and for its recovery. */
  messages: { down: string; up: string };
  /** Purges a `Surrogate-Key` from the edge; undefined without an edge to purge. */
  purge: ((key: string) => Promise<void>) | undefined;
  /**
   * Fetches the data of a site.
   * @returns whether they have changed in a way that the edge couldn't expect
   */
  poll(site: Site): Promise<boolean>;
}

/** The time between two polls. With the 3 s of the longest poll, a change is seen within the documented 60 s. */
const interval: Milliseconds = 20 * second;
/**
 * The longest pause after a failure. A recovered service is noticed within 5 s, with the 2 s of the longest call. The
 * pause is a random time between half of this and all of it, so that sites and replicas don't call all at once.
 */
const longestPause: Milliseconds = 2 * second;

/**
 * Creates the job that polls every site, and purges changed ones from the edge. Its start resolves after the first
 * poll. Starting it again polls at once.
 */
export function createSitePoller({ sites, logger, messages, purge, poll }: SitePollerOptions): Job {
  const health = createHealthLog(logger, messages);
  const timers = new Map<Site, NodeJS.Timeout>();
  /** The changed sites that the edge must still drop. */
  const unpurged = new Set<Site>();
  let isClosed = false;
  return {
    async start() {
      await Promise.all(sites.map(keepFresh));
    },
    async close() {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };

  /** Polls a site, and schedules the next poll. */
  async function keepFresh(site: Site): Promise<void> {
    clearTimeout(timers.get(site));
    const hasAnswered = await runJob(() => pollOnce(site));
    const pause = hasAnswered ? interval : longestPause * (1 - Math.random() / 2);
    if (!isClosed) timers.set(site, setTimeout(keepFresh, pause, site).unref());
  }

  /**
   * Polls a site once.
   * @returns whether there was an answer
   */
  async function pollOnce(site: Site): Promise<boolean> {
    try {
      if (await poll(site)) unpurged.add(site);
    } catch (error) {
      const reason = error instanceof UpstreamError ? error.message : undefined;
      health.down({ reason, err: error, site: site.site });
      return false;
    }
    health.up(site.site);
    if (unpurged.has(site)) await purgeEdge(site);
    return true;
  }

  async function purgeEdge(site: Site): Promise<void> {
    try {
      await purge?.(`country-${site.site}`);
      unpurged.delete(site);
    } catch (error) {
      if (!isReported(error)) logger.warn({ site: site.site, err: error }, "edge purge could not be queued");
    }
  }
}
