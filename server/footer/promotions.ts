import { isDeepStrictEqual } from "node:util";
import { type Milliseconds, type Moment, second } from "../../client/rules/time.ts";
import type { Promotion } from "../../schemas/types.ts";
import { isTold, UnavailableError, UpstreamError } from "../errors.ts";
import { longestStored } from "../http/who-may-store.ts";
import type { Logger } from "../logger.ts";
import { createOutage } from "../outage.ts";
import type { RequestedPreview } from "../services/preview-of.ts";
import type { PlannedPromotion, PromotionService } from "../services/promotion-service.ts";
import type { Site } from "../sites/countries.ts";
import { runJob } from "../tracing/work.ts";

export interface Promotions {
  /** Gives the promotion of a site's footer at a moment as last fetched, without waiting; undefined before the start. */
  current(site: Site, at: Moment): Promotion | undefined;
  /** Tells when the promotion changes next after a moment, as far as that is known; else Infinity. */
  nextChange(site: Site, at: Moment): Moment;
  /** Fetches the promotion that staff preview. A call that fails is logged, and leaves the footer without one. */
  previewed(site: Site, preview: RequestedPreview): Promise<Promotion | undefined>;
  /** Fetches every site's promotion, and goes on to do so. Resolves after the first time. */
  start(): Promise<void>;
  close(): Promise<void>;
}

interface PromotionsOptions {
  sites: readonly Site[];
  service: PromotionService;
  /** Lets the edge forget a site's footers, which show what nobody knew before; missing where nothing is told. */
  purge?: ((site: Site) => Promise<void>) | undefined;
  logger: Logger;
}

/** Time between two calls. With the longest call, a change is seen within the 60 s that the documents promise. */
const interval: Milliseconds = 20 * second;
/** Longest time for a call: that of a real service ends before, a query that is stuck doesn't. */
const longestCall: Milliseconds = 3 * second;
/**
 * Longest pause after a call that has failed. With the longest call, a service that is back is seen within 5 s. It is
 * drawn at random between half of it and the whole, so that not all sites and replicas ask at once.
 */
const longestPause: Milliseconds = 2 * second;
/** How long a promotion stays when the service doesn't answer any more. */
const keptFor: Milliseconds = 50 * second;

/**
 * Keeps the promotion of every site at hand, and those that are known to follow, so that each starts in time. A call
 * that fails leaves its site with the last ones; the log tells of the outage.
 */
export function createPromotions({ sites, service, purge, logger }: PromotionsOptions): Promotions {
  const known = new Map<string, { plan: PlannedPromotion[]; seen: Milliseconds }>();
  const timers = new Map<string, NodeJS.Timeout>();
  /** The sites of whose changes the edge hasn't been told. */
  const untold = new Set<Site>();
  const outage = createOutage(logger, {
    away: "the service finds no promotions; footers keep the last ones for 50 seconds",
    back: "the service finds promotions again",
  });
  let isClosed = false;
  return {
    current: (site, at) => promotionIn(planOf(site), at),
    nextChange: (site, at) => nextIn(planOf(site), at),
    async previewed(site, preview) {
      try {
        return await inTime(service.previewed(site, preview));
      } catch (error) {
        if (!isTold(error))
          logger.warn({ site: site.site, err: error }, "the service could not find the previewed promotion");
        return undefined;
      }
    },
    async start() {
      await Promise.all(sites.map(keep));
    },
    async close() {
      isClosed = true;
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };

  function planOf({ site }: Site): PlannedPromotion[] {
    const last = known.get(site);
    return last && performance.now() - last.seen < keptFor ? last.plan : [];
  }

  /** Asks for a site's promotion, and again in time. */
  async function keep(site: Site) {
    const pause = (await runJob(() => ask(site))) ? interval : longestPause * (1 - Math.random() / 2);
    if (!isClosed) timers.set(site.site, setTimeout(keep, pause, site).unref());
  }

  /** Tells whether the service has answered. */
  async function ask(site: Site): Promise<boolean> {
    const seen = performance.now();
    const call = service.planned(site);
    try {
      const plan = await inTime(call);
      const before = known.get(site.site)?.plan;
      if (before && isUnforeseen(before, plan, Date.now())) untold.add(site);
      known.set(site.site, { plan, seen });
      outage.answered();
      await tellEdge(site);
      return true;
    } catch (error) {
      // One that was given up tells why when it ends: then the log may have it as an outage of the store.
      void call.then(
        () => noteFailure(site, error),
        (reason) => noteFailure(site, reason),
      );
      return false;
    }
  }

  function noteFailure({ site }: Site, err: unknown) {
    outage.failed({ reason: err instanceof UpstreamError ? err.message : undefined, err, site });
  }

  async function tellEdge(site: Site) {
    if (!purge || !untold.has(site)) return;
    try {
      await inTime(purge(site));
      untold.delete(site);
    } catch (error) {
      if (!isTold(error))
        logger.warn({ site: site.site, err: error }, "the service could not note that the edge has to forget a footer");
    }
  }

  /** Gives a call up that takes too long, so that the next one goes on: test/server/footer/promotions.test.ts */
  async function inTime<Answer>(call: Promise<Answer>): Promise<Answer> {
    const tooLate = Promise.withResolvers<never>();
    const fault = new UnavailableError(`no promotion within ${longestCall} ms`);
    const timer = setTimeout(() => tooLate.reject(fault), longestCall).unref();
    try {
      return await Promise.race([call, tooLate.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

/**
 * Tells whether a plan has what those who keep a footer can't have expected by the plan before: another promotion now,
 * or a change before theirs.
 */
function isUnforeseen(before: readonly PlannedPromotion[], plan: readonly PlannedPromotion[], at: Moment): boolean {
  const next = nextIn(plan, at);
  const isSooner = next < nextIn(before, at) && next < at + longestStored;
  return isSooner || !isDeepStrictEqual(promotionIn(plan, at), promotionIn(before, at));
}

function promotionIn(plan: readonly PlannedPromotion[], at: Moment): Promotion | undefined {
  return plan.findLast(({ from }) => from <= at)?.promotion;
}

function nextIn(plan: readonly PlannedPromotion[], at: Moment): Moment {
  return plan.find(({ from }) => from > at)?.from ?? Infinity;
}
