import cookieParser from "cookie-parser";
import express, { type Express } from "express";
import expressStaticGzip from "express-static-gzip";
import type { Assets } from "./assets.ts";
import { StartError } from "./errors.ts";
import { createFooterFragment } from "./footer/footer-fragment.tsx";
import type { Logos } from "./footer/logos.ts";
import type { Promotions } from "./footer/promotions.ts";
import type { Fragment } from "./fragments/fragment.ts";
import { createFragmentRenderer } from "./fragments/fragment-renderer.ts";
import { fragmentRoutes } from "./fragments/fragment-routes.ts";
import { createHeadFragment } from "./fragments/head-fragment.tsx";
import { widgetsRoute } from "./gallery/widgets-route.tsx";
import { healthRoutes, type Readiness } from "./http/health-routes.ts";
import { nameRoute, requestLog } from "./http/request-log.ts";
import { pageHeaders, securityHeaders, unframedPageHeaders } from "./http/security-headers.ts";
import { serviceCalls } from "./http/service-calls.ts";
import { serviceErrorHandlers } from "./http/service-error-handlers.ts";
import type { Texts } from "./i18n.ts";
import type { Logger } from "./logger.ts";
import { createLoginPage } from "./login/login-page.tsx";
import { loginPageRoutes, loginPaths } from "./login/login-page-routes.ts";
import type { Metrics } from "./metrics.ts";
import { newsletterFormRoutes } from "./newsletter/newsletter-form-routes.ts";
import { createNewsletterFragment } from "./newsletter/newsletter-fragment.tsx";
import { createNewsletterIslands } from "./newsletter/newsletter-islands.ts";
import { newsletterLinkRoutes } from "./newsletter/newsletter-link-routes.ts";
import { createNewsletterPages } from "./newsletter/newsletter-pages.tsx";
import { overviewRoute } from "./overview/overview-route.tsx";
import { errorHandler } from "./pages/error-handler.ts";
import { homeRoute } from "./pages/home-route.tsx";
import { notFound } from "./pages/not-found.ts";
import { createPageRenderer } from "./pages/page-renderer.tsx";
import { viewRoute } from "./pages/view-route.ts";
import { hidePreviews, removeLostChoices } from "./preview/preview-of.ts";
import { previewPageRoutes } from "./preview/preview-page-routes.ts";
import { createPreviewPages } from "./preview/preview-pages.tsx";
import type { renderStream } from "./render/render-stream.ts";
import { abTestRoutes } from "./shop/abtests/ab-test-routes.ts";
import { customerRoutes } from "./shop/customer/customer-routes.ts";
import { psdataRoutes } from "./shop/customer/psdata-routes.ts";
import { loginRoutes } from "./shop/login/login-routes.ts";
import type { MailWorker } from "./shop/mail/mail-worker.ts";
import { newsletterRoutes } from "./shop/newsletter/newsletter-routes.ts";
import { createShopServices } from "./shop/open-shop.ts";
import { previewRoutes } from "./shop/preview/preview-routes.ts";
import { previewPath } from "./shop/preview/share.ts";
import { promotionRoutes } from "./shop/promotion/promotion-routes.ts";
import type { Store } from "./shop/store/open-store.ts";
import type { CountryRegistry } from "./sites/countries.ts";
import type { UpstreamOrigins } from "./upstreams/services.ts";
import { upstreamRoutes } from "./upstreams/upstream-routes.ts";

export interface Deps {
  assets: Assets;
  /** Folder of the built browser files. */
  assetsFolder: string;
  countries: CountryRegistry;
  defaultSite: string;
  logger: Logger;
  logos: Logos;
  mail: Pick<MailWorker, "wake">;
  metrics: Metrics;
  promotions: Pick<Promotions, "current">;
  readiness: Readiness;
  renderCache: boolean;
  store: Store;
  texts: Texts;
  trustProxy: string[];
  upstreams: UpstreamOrigins;
  /** Replaces the React renderer of fragments, to try out its failures. */
  renderElement?: typeof renderStream;
}

/** The service: everything it does, in the order in which a request meets it. */
export async function createApp(deps: Deps): Promise<Express> {
  const { assets, countries, logger, logos, metrics, promotions, readiness, store, texts, upstreams } = deps;
  const defaultSite = countries.get(deps.defaultSite);
  if (!defaultSite) throw new StartError([`there is no country ${deps.defaultSite}`]);

  const { identify, login, newsletter, ofPages, preview, previewOf, previewPromotion } = await createShopServices(deps);
  const islands = createNewsletterIslands({ texts, assets });
  const footer = createFooterFragment({
    ...{ countries, texts, assets, logos, newsletter: islands, promotions, previewPromotion },
  });
  const newsletterBlock = createNewsletterFragment(assets, islands);
  const head = createHeadFragment(assets, [footer, newsletterBlock]);
  const fragments: Fragment[] = [footer, newsletterBlock, head];
  const renderer = await createFragmentRenderer({
    ...deps,
    build: assets.build,
    fragments,
    sites: countries.sites,
    cache: deps.renderCache,
  });
  const pages = createPageRenderer({ assets, countries, defaultSite, footer, previewOf, renderer, texts });
  const newsletterPages = createNewsletterPages({ assets, pages, texts });
  const loginPage = createLoginPage({ assets, pages, texts });
  const previewPages = createPreviewPages({ pages, texts });

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("env", "production");
  app.set("query parser", "simple");
  app.set("trust proxy", deps.trustProxy);

  app.use(healthRoutes(readiness));
  app.use(requestLog(logger, metrics));
  app.use(securityHeaders(assets.origin));
  app.use("/assets", nameRoute("/assets/*"), assetFiles(deps.assetsFolder));
  app.use("/service/footer-images/logos", nameRoute("/service/footer-images/logos/*"), logoFiles(logos.folder));
  app.use(cookieParser());
  app.use(fragmentRoutes({ assets, countries, defaultSite, fragments, renderer, logger, metrics, previewOf }));
  app.use(upstreamRoutes(upstreams, logger));
  if (!upstreams.preview) app.use(removeLostChoices(preview));

  app.use("/service", serviceCalls(), hidePreviews(previewOf));
  app.use(abTestRoutes(store.db));
  app.use(promotionRoutes({ db: store.db, countries, defaultSite, previewOf }));
  app.use(newsletterRoutes({ newsletter, countries, defaultSite, texts }));
  app.use(customerRoutes({ db: store.db, countries, defaultSite, identify }));
  app.use(loginRoutes(login));
  app.use(psdataRoutes(identify));
  if (!upstreams.preview) app.use(previewRoutes({ preview, countries, defaultSite, logger }));
  app.use("/service", serviceErrorHandlers(logger));

  app.use(pageHeaders(assets.origin), hidePreviews(previewOf));
  app.use([...loginPaths, previewPath], unframedPageHeaders(assets.origin));
  app.use(loginPageRoutes({ countries, defaultSite, identify, login: ofPages.login, loginPage }));
  app.use(viewRoute());
  app.use(newsletterFormRoutes({ countries, defaultSite, logger, newsletter: ofPages.newsletter, newsletterPages }));
  app.use(newsletterLinkRoutes({ countries, defaultSite, newsletter: ofPages.newsletter, newsletterPages }));
  if (!upstreams.preview) app.use(previewPageRoutes({ countries, defaultSite, logger, preview, previewPages }));
  app.use(homeRoute({ assets, countries, pages }));
  app.use(overviewRoute({ assets, countries, defaultSite, fragments, head, pages, texts }));
  app.use(widgetsRoute({ assets, countries, pages, texts }));
  app.use(notFound(pages));
  app.use(errorHandler(logger, pages));
  return app;
}

/** Built files: their names carry a hash, so they never change; Brotli and gzip variants lie beside them. */
function assetFiles(folder: string) {
  return expressStaticGzip(folder, {
    enableBrotli: true,
    orderPreference: ["br", "gzip"],
    index: false,
    serveStatic: {
      immutable: true,
      maxAge: "1y",
      redirect: false,
      setHeaders: (response) => {
        response.setHeader("Access-Control-Allow-Origin", "*");
        response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
      },
    },
  });
}

/** Logos keep their names when they change, so they are asked for again after a day. */
function logoFiles(folder: string) {
  return express.static(folder, { index: false, maxAge: "1d", redirect: false });
}
