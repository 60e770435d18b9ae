import { isDeepStrictEqual } from "node:util";
import { type Milliseconds, type Moment, second } from "../../../client/rules/time.ts";
import type { Promotion } from "../../../schemas/types.ts";
import { longestStored } from "../../http/cache-control.ts";
import { isReported, UpstreamError } from "../../platform/errors.ts";
import { createHealthLog } from "../../platform/health-log.ts";
import type { Logger } from "../../platform/logger.ts";
import { runJob } from "../../platform/request-context.ts";
import type { RequestedPreview } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import type { PlannedPromotion, PromotionService } from "../promotion/service.ts";

export type Promotions = ReturnType<typeof createPromotions>;

interface SiteState {
  site: Site;
  /** The plan as last fetched, and when; undefined before the first time. */
  fetched?: { plan: PlannedPromotion[]; at: Milliseconds };
  /** Whether the edge still has to be purged. */
  mustPurge: boolean;
  refresh?: NodeJS.Timeout;
}

/** Time between two fetches. With the 3 s of the longest one, a change is seen within the documented 60 s. */
const interval: Milliseconds = 20 * second;
/**
 * Longest pause after a failure. With the longest call of a real service, 2 s, one that has recovered is seen within 5 s.
 * The pause is drawn at random between half of it and the whole, so that sites and replicas don't ask all at once.
 */
const longestPause: Milliseconds = 2 * second;
/** How long a promotion stays when the service doesn't answer any more. */
const keptFor: Milliseconds = 50 * second;

/**
 * Keeps the promotion of every site at hand, with the changes known to follow, so that each starts in time. A failed
 * fetch leaves its site with the last plan until that expires.
 * @param purge - purges a `Surrogate-Key` from the edge, which can't expect a change; undefined without an edge to purge
 */
export function createPromotions(
  sites: readonly Site[],
  service: PromotionService,
  logger: Logger,
  purge?: (key: string) => Promise<void>,
) {
  const states = new Map(sites.map((site): [string, SiteState] => [site.site, { site, mustPurge: false }]));
  const health = createHealthLog(logger, {
    down: "promotions unavailable, footers keep the last ones for 50 s",
    up: "promotions recovered",
  });
  let isClosed = false;
  return {
    /**
     * Returns the promotion of a site's footer at a moment as last fetched, without waiting. An unchanged promotion is
     * the same object.
     */
    current: (site: Site, at: Moment) => promotionIn(planOf(site), at),

    /** Returns when the promotion next changes after a moment, as far as that is known; else Infinity. */
    nextChange: (site: Site, at: Moment) => nextIn(planOf(site), at),

    /** Fetches the promotion that staff preview. A failure is logged, and leaves the footer without one. */
    async previewed(site: Site, preview: RequestedPreview): Promise<Promotion | undefined> {
      try {
        return await service.previewed(site, preview);
      } catch (error) {
        if (!isReported(error)) logger.warn({ site: site.site, err: error }, "previewed promotion unavailable");
        return undefined;
      }
    },

    /** Fetches every site's promotion, and keeps refreshing it. Resolves after the first fetch. */
    async start(): Promise<void> {
      await Promise.all([...states.values()].map(keepFresh));
    },

    async close(): Promise<void> {
      isClosed = true;
      for (const { refresh } of states.values()) clearTimeout(refresh);
    },
  };

  /** Returns the plan of a site; an empty one when it has expired. */
  function planOf({ site }: Site): PlannedPromotion[] {
    const fetched = states.get(site)?.fetched;
    return fetched && performance.now() - fetched.at < keptFor ? fetched.plan : [];
  }

  /** Fetches a site's plan, and schedules the next fetch. */
  async function keepFresh(state: SiteState): Promise<void> {
    const hasAnswered = await runJob(() => fetchPlan(state));
    const pause = hasAnswered ? interval : longestPause * (1 - Math.random() / 2);
    if (!isClosed) state.refresh = setTimeout(keepFresh, pause, state).unref();
  }

  /** Returns whether the service has answered. */
  async function fetchPlan(state: SiteState): Promise<boolean> {
    const { site, fetched } = state;
    const at = performance.now();
    try {
      const plan = reusePromotions(await service.planned(site), fetched?.plan);
      if (fetched && isUnforeseen(fetched.plan, plan, Date.now())) state.mustPurge = true;
      state.fetched = { plan, at };
    } catch (error) {
      const reason = error instanceof UpstreamError ? error.message : undefined;
      health.failed({ reason, err: error, site: site.site });
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

/** Replaces promotions that haven't changed with the known objects, so that they can be compared by identity. */
function reusePromotions(plan: PlannedPromotion[], before: PlannedPromotion[] = []): PlannedPromotion[] {
  return plan.map(({ from, promotion }) => ({
    from,
    promotion: before.find((known) => isDeepStrictEqual(known.promotion, promotion))?.promotion ?? promotion,
  }));
}

/** Whether a plan differs from what caches could expect by the one before: another promotion now, or an earlier change. */
function isUnforeseen(before: readonly PlannedPromotion[], plan: readonly PlannedPromotion[], at: Moment): boolean {
  const next = nextIn(plan, at);
  const isSooner = next < nextIn(before, at) && next < at + longestStored;
  return isSooner || promotionIn(plan, at) !== promotionIn(before, at);
}

function promotionIn(plan: readonly PlannedPromotion[], at: Moment): Promotion | undefined {
  return plan.findLast(({ from }) => from <= at)?.promotion;
}

function nextIn(plan: readonly PlannedPromotion[], at: Moment): Moment {
  return plan.find(({ from }) => from > at)?.from ?? Infinity;
}
