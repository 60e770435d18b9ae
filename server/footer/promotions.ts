import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Promotion } from "../../schemas/types.ts";
import { UpstreamError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { RequestedPreview } from "../services/preview-of.ts";
import type { FindPromotion } from "../services/promotion-service.ts";
import type { Site } from "../sites/countries.ts";

export interface Promotions {
  /** Gives the promotion of a site's footer as last fetched, without waiting for it; undefined before the start. */
  current(site: Site): Promotion | undefined;
  /** Fetches the promotion that staff preview. A call that fails is logged, and leaves the footer without one. */
  previewed(site: Site, preview: RequestedPreview): Promise<Promotion | undefined>;
  /** Fetches every site's promotion, and again at every interval. Resolves after the first time. */
  start(): Promise<void>;
  /** Fetches every site's promotion; does nothing while that is under way. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

interface PromotionsOptions {
  sites: readonly Site[];
  find: FindPromotion;
  logger: Logger;
}

/** Time between two refreshes. With the longest call, a change is seen within the 60 s that the documents promise. */
const interval: Milliseconds = 20 * second;
/** How long a promotion stays when the service doesn't answer any more. */
const keptFor: Milliseconds = 50 * second;

/** Keeps the promotion of every site at hand. A call that fails is logged, and leaves its site with the last one. */
export function createPromotions({ sites, find, logger }: PromotionsOptions): Promotions {
  const known = new Map<string, { promotion: Promotion | undefined; seen: Milliseconds }>();
  let timer: NodeJS.Timeout | undefined;
  let underWay: Promise<unknown> | undefined;
  return {
    current({ site }) {
      const last = known.get(site);
      return last && performance.now() - last.seen < keptFor ? last.promotion : undefined;
    },
    async previewed(site, preview) {
      try {
        return await find(site, preview);
      } catch (error) {
        logger.warn({ site: site.site, err: error }, "the service could not find the previewed promotion");
        return undefined;
      }
    },
    async start() {
      timer = setInterval(refresh, interval).unref();
      await refresh();
    },
    refresh,
    async close() {
      clearInterval(timer);
    },
  };

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
      logger.warn({ site: site.site, ...reason }, "the service could not find the promotion");
    }
  }
}
