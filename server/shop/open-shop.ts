import { createPreviewPromotions, type FindPreviewPromotion } from "../footer/preview-promotions.ts";
import type { Texts } from "../i18n.ts";
import type { Logger } from "../logger.ts";
import { createPreviewOf } from "../preview/preview-of.ts";
import { credentialsOf } from "../services/login-caller.ts";
import type { CountryRegistry, Site } from "../sites/countries.ts";
import { footerChanges } from "../sites/footer-versions.ts";
import { createAbTestUpstream } from "../upstreams/abtest.ts";
import { createLoginUpstream } from "../upstreams/login.ts";
import { createNewsletterUpstream } from "../upstreams/newsletter.ts";
import { createPreviewUpstream } from "../upstreams/preview.ts";
import { createPromotionUpstream } from "../upstreams/promotion.ts";
import type { UpstreamOrigins } from "../upstreams/services.ts";
import { findActiveTests } from "./abtests/find-active-tests.ts";
import type { Identify } from "./customer/customer-routes.ts";
import { createLogin } from "./login/create-login.ts";
import type { MailWorker } from "./mail/mail-worker.ts";
import { createNewsletter } from "./newsletter/create-newsletter.ts";
import { createPreview } from "./preview/create-preview.ts";
import { findPromotion } from "./promotion/find-promotion.ts";
import type { Database, Store } from "./store/open-store.ts";

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
