import { isDeepStrictEqual } from "node:util";
import type { Moment } from "../../../client/rules/time.ts";
import type { Promotion } from "../../../schemas/types.ts";
import { longestStored } from "../../http/cache-control.ts";
import { isReported } from "../../platform/errors.ts";
import type { Logger } from "../../platform/logger.ts";
import { type AbGroup, variantOf } from "../../rendering/ab-group.ts";
import type { RequestedPreview } from "../../rendering/visitor.ts";
import type { Site } from "../../sites/countries.ts";
import { changeAfter, createKeptPlans, entryAt } from "../../upstream/kept-plans.ts";
import type { PlannedPromotion, PromotionService } from "../promotion/service.ts";

export type Promotions = ReturnType<typeof createPromotions>;

/** Whose promotion it is: everybody's on a site, or that of a group of an A/B test there. */
interface Audience {
  site: Site;
  group?: AbGroup | undefined;
}

/** The number of groups per site whose promotions are kept at once. */
export const groupsPerSite = 20;

/**
 * Keeps the promotion of every site available, with its known future changes, so that each starts in time; and those of
 * groups of A/B tests that are asked for. After a failed fetch, a site keeps its last plan until that expires.
 * @param purge - purges a `Surrogate-Key` from the edge after a change that the edge couldn't expect; undefined without
 * an edge to purge
 */
export function createPromotions(
  sites: readonly Site[],
  service: PromotionService,
  logger: Logger,
  purge?: (key: string) => Promise<void>,
) {
  const { planOf, want, ...job } = createKeptPlans<Audience, PlannedPromotion>({
    subjects: sites.map((site) => ({ site })),
    mostWanted: groupsPerSite * sites.length,
    keyOf,
    nameOf: keyOf,
    fetch: async ({ site, group }, before) => reusePromotions(await service.planned(site, group), before),
    unforeseen: ({ site }, before, plan, at) => (isUnforeseen(before, plan, at) ? [`country-${site.site}`] : []),
    logger,
    messages: {
      down: "promotions unavailable, footers keep the last ones for 50 s",
      up: "promotions recovered",
    },
    purge,
  });
  return {
    /**
     * Returns the promotion of a site's footer at a moment, from the last fetched plan, without waiting. An unchanged
     * promotion is the same object.
     * @param group - for which group of an A/B test. Default: for everybody
     */
    current: (site: Site, at: Moment, group?: AbGroup) => entryAt(planOf(keyOf({ site, group })), at)?.promotion,

    /** Returns the next known change of the promotion after a moment; Infinity if none is known. */
    nextChange: (site: Site, at: Moment, group?: AbGroup) => changeAfter(planOf(keyOf({ site, group })), at),

    /** Whether the promotion of a group is known, which may be that there is none. */
    isKnown: (site: Site, group: AbGroup) => planOf(keyOf({ site, group })) !== undefined,

    /**
     * Keeps the promotion of a group available from now on.
     * @returns the end of its first fetch; undefined if that is over
     */
    want: (site: Site, group: AbGroup) => want({ site, group }),

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
    ...job,
  };
}

function keyOf({ site: { site }, group }: Audience): string {
  return group ? `${site} ${variantOf(group)}` : site;
}

/** Replaces unchanged promotions with the known objects, so that they can be compared by identity. */
function reusePromotions(plan: PlannedPromotion[], before: readonly PlannedPromotion[] = []): PlannedPromotion[] {
  return plan.map(({ from, promotion }) => ({
    from,
    promotion: before.find((known) => isDeepStrictEqual(known.promotion, promotion))?.promotion ?? promotion,
  }));
}

/** Whether caches couldn't expect a plan after the previous one: it has another promotion now, or an earlier change. */
function isUnforeseen(before: readonly PlannedPromotion[], plan: readonly PlannedPromotion[], at: Moment): boolean {
  const next = changeAfter(plan, at);
  const isSooner = next < changeAfter(before, at) && next < at + longestStored;
  return isSooner || entryAt(plan, at)?.promotion !== entryAt(before, at)?.promotion;
}
