import type { Fragment } from "../../rendering/fragment.ts";
import { viewRoute } from "../../rendering/view-route.ts";
import type { AppContext, Feature } from "../feature.ts";
import type { NewsletterIslands } from "../newsletter/service.ts";
import type { PromotionService } from "../promotion/service.ts";
import { openPurges } from "./edge-purges.ts";
import { createFooterFragment } from "./footer-fragment.tsx";
import { createPromotions, type Promotions } from "./promotions.ts";

/** The footer of every page with its promotion. The edge is purged when that changes unexpectedly. */
export async function createFooter(
  context: AppContext,
  service: PromotionService,
  newsletter: NewsletterIslands,
): Promise<Feature & { fragment: Fragment; promotions: Promotions }> {
  const { countries, env, logger, openStore } = context;
  const purges = env.purgeUrl === undefined ? undefined : openPurges((await openStore()).db, env.purgeUrl, context);
  const promotions = createPromotions(countries.sites, service, logger, purges?.purge);
  const fragment = createFooterFragment(context, newsletter, promotions);
  return {
    fragment,
    fragments: [fragment],
    promotions,
    pages: () => [viewRoute()],
    jobs: [...(purges ? [purges.worker] : []), promotions],
  };
}
