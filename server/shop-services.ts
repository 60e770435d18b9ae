import type { CountryRegistry, Site } from "./countries.ts";
import { footerChanges } from "./footer-versions.ts";
import type { Texts } from "./i18n.ts";
import type { Logger } from "./logger.ts";
import { createPreviewPromotions, type FindPreviewPromotion } from "./preview-promotions.ts";
import { findActiveTests } from "./shop/abtests/find-active-tests.ts";
import { createLogin } from "./shop/login/create-login.ts";
import { credentialsOf } from "./shop/login/login-caller.ts";
import type { MailWorker } from "./shop/mail/mail-worker.ts";
import { createNewsletter } from "./shop/newsletter/create-newsletter.ts";
import type { Identify } from "./shop/newsletter/customer-routes.ts";
import { createPreview } from "./shop/preview/create-preview.ts";
import { createPreviewOf } from "./shop/preview/preview-of.ts";
import { findPromotion } from "./shop/promotion/find-promotion.ts";
import type { Database, Store } from "./shop/store/open-store.ts";
import { createAbTestUpstream } from "./upstreams/abtest.ts";
import { createLoginUpstream } from "./upstreams/login.ts";
import { createNewsletterUpstream } from "./upstreams/newsletter.ts";
import { createPreviewUpstream } from "./upstreams/preview.ts";
import { createPromotionUpstream } from "./upstreams/promotion.ts";
import type { UpstreamOrigins } from "./upstreams/services.ts";

interface ShopServiceDeps {
  countries: CountryRegistry;
  logger: Logger;
  mail: Pick<MailWorker, "wake">;
  store: Store;
  texts: Texts;
  upstreams: UpstreamOrigins;
}

/**
 * Creates the embedded services, which answer calls below /service, and beside them what pages and fragments use: the
 * real service where there is one.
 */
export async function createShopServices(deps: ShopServiceDeps) {
  const { countries, logger, mail, texts, upstreams } = deps;
  const { db } = deps.store;
  const findTests = upstreams.abtest ? createAbTestUpstream(upstreams.abtest) : (at: Date) => findActiveTests(db, at);
  const changesOf = ({ footer, footerLocale, facts }: Site) =>
    footerChanges(footer, texts.translator(footerLocale, "footer", facts));
  const preview = await createPreview({ db, logger, findTests, footerChanges: changesOf });
  const login = await createLogin({ db, logger });
  const newsletter = await createNewsletter({ db, countries, texts, mail });

  const identify: Identify = (request) => login.identify(credentialsOf(request));
  const findPreviewPromotion = upstreams.promotion
    ? findInUpstream(createPromotionUpstream(upstreams.promotion))
    : findInStore(db);
  return {
    ...{ preview, login, newsletter, identify },
    previewPromotion: createPreviewPromotions(findPreviewPromotion, logger),
    previewOf: createPreviewOf(upstreams.preview ? createPreviewUpstream(upstreams.preview) : preview, logger),
    ofPages: {
      login: upstreams.login ? createLoginUpstream(upstreams.login, logger) : login,
      newsletter: upstreams.newsletter ? createNewsletterUpstream(upstreams.newsletter) : newsletter,
    },
  };
}

function findInStore(db: Database): FindPreviewPromotion {
  return ({ site }, { at, selection }) => findPromotion(db, "SHOP_FOOTER", { site, at, selection });
}

/** The real service is told by the cookies of staff what they preview. */
function findInUpstream(find: ReturnType<typeof createPromotionUpstream>): FindPreviewPromotion {
  return (site, { cookies }) => find(site, cookies);
}
