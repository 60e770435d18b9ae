import type { Promotion } from "../../schemas/types.ts";
import { UpstreamError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Site } from "../sites/countries.ts";

/** Finds the promotion that a site's footer shows now; undefined when there is none. */
export type FindPromotion = (site: Site) => Promise<Promotion | undefined>;

export interface Promotions {
  /** The promotion of a site's footer as last seen: nobody waits for it. */
  current(site: Site): Promotion | undefined;
  /** Asks for every site's promotion; does nothing while that is under way. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

interface PromotionsOptions {
  sites: readonly Site[];
  find: FindPromotion;
  logger: Logger;
}

/** Time between two refreshes, in milliseconds. With the longest call, a change is seen within the 60 s promised. */
const interval = 20_000;
/** How long a promotion stays when it can't be asked for any more, in milliseconds. */
const keptFor = 50_000;

/**
 * Keeps the promotion of every site at hand.
 * @returns when every site was asked for: a call that fails is logged, and leaves its site without one
 */
export async function keepPromotions({ sites, find, logger }: PromotionsOptions): Promise<Promotions> {
  const known = new Map<string, { promotion: Promotion | undefined; seen: number }>();
  let underWay: Promise<unknown> | undefined;
  await refresh();
  const timer = setInterval(refresh, interval).unref();
  return { current, refresh, close: async () => clearInterval(timer) };

  function current({ site }: Site): Promotion | undefined {
    const last = known.get(site);
    return last && performance.now() - last.seen < keptFor ? last.promotion : undefined;
  }

  async function refresh() {
    if (underWay) return;
    underWay = Promise.all(sites.map(ask));
    await underWay;
    underWay = undefined;
  }

  async function ask(site: Site) {
    const seen = performance.now();
    try {
      known.set(site.site, { promotion: await find(site), seen });
    } catch (error) {
      const reason = error instanceof UpstreamError ? { reason: error.message } : { err: error };
      logger.warn({ site: site.site, ...reason }, "promotion not found out");
    }
  }
}
