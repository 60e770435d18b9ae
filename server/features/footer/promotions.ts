import { isDeepStrictEqual } from "node:util";
import { type Milliseconds, type Moment, second } from "../../../client/rules/time.ts";
import type { Promotion } from "../../../schemas/types.ts";
import { longestStored } from "../../http/cache-control.ts";
import { isReported } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import type { RequestedPreview } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import { createSitePoller } from "../../upstream/site-poller.ts";
import type { PlannedPromotion, PromotionService } from "../promotion/service.ts";

export type Promotions = ReturnType<typeof createPromotions>;

/** The last fetched plan of a site, and when it was fetched. */
interface Fetched {
  plan: PlannedPromotion[];
  at: Milliseconds;
}

/** How long a promotion stays if the service no longer answers. */
const keptFor: Milliseconds = 50 * second;

/**
 * Keeps the promotion of every site available, with its known future changes, so that each starts in time. After a
 * failed fetch, a site keeps its last plan until that expires.
 * @param purge - purges a `Surrogate-Key` from the edge after a change that the edge couldn't expect; undefined without
 * an edge to purge
 */
export function createPromotions(
  sites: readonly Site[],
  service: PromotionService,
  logger: Logger,
  purge?: (key: string) => Promise<void>,
) {
  const fetched = new Map<string, Fetched>();
  const messages = {
    down: "promotions unavailable, footers keep the last ones for 50 s",
    up: "promotions recovered",
  };
  return {
    /**
     * Returns the promotion of a site's footer at a moment, from the last fetched plan, without waiting. An unchanged
     * promotion is the same object.
     */
    current: (site: Site, at: Moment) => promotionIn(planOf(site), at),

    /** Returns the next known change of the promotion after a moment; Infinity if none is known. */
    nextChange: (site: Site, at: Moment) => nextIn(planOf(site), at),

    /** Fetches the promotion that staff preview. After a failure, which is logged, the footer shows none. */
    async previewed(site: Site, preview: RequestedPreview): Promise<Promotion | undefined> {
      try {
        return await service.previewed(site, preview);
      } catch (error) {
        if (!isReported(error)) logger.warn({ site: site.site, err: error }, "previewed promotion unavailable");
        return undefined;
      }
    },

    /** Starts with the first fetch of every site's promotion, and refreshes them regularly. */
    ...createSitePoller({ sites, logger, messages, purge, poll: fetchPlan }),
  };

  /** Returns the plan of a site; an empty one if it has expired. */
  function planOf({ site }: Site): PlannedPromotion[] {
    const last = fetched.get(site);
    return last && performance.now() - last.at < keptFor ? last.plan : [];
  }

  /**
   * Fetches a site's plan.
   * @returns whether it differs from what the edge could expect
   */
  async function fetchPlan(site: Site): Promise<boolean> {
    const at = performance.now();
    const before = fetched.get(site.site)?.plan;
    const plan = reusePromotions(await service.planned(site), before);
    fetched.set(site.site, { plan, at });
    return before !== undefined && isUnforeseen(before, plan, Date.now());
  }
}

/** Replaces unchanged promotions with the known objects, so that they can be compared by identity. */
function reusePromotions(plan: PlannedPromotion[], before: PlannedPromotion[] = []): PlannedPromotion[] {
  return plan.map(({ from, promotion }) => ({
    from,
    promotion: before.find((known) => isDeepStrictEqual(known.promotion, promotion))?.promotion ?? promotion,
  }));
}

/** Whether caches couldn't expect a plan after the previous one: it has another promotion now, or an earlier change. */
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
