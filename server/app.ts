import cookieParser from "cookie-parser";
import express, { type Express } from "express";
import type { Fragments } from "./create-fragments.ts";
import { demoPages } from "./demo/demo-pages.tsx";
import { homeRoute } from "./demo/home-route.tsx";
import type { Env } from "./env.ts";
import type { Fallbacks } from "./fragments/fallbacks.ts";
import { createFragmentRenderer } from "./fragments/fragment-renderer.ts";
import { fragmentRoutes } from "./fragments/fragment-routes.ts";
import { createKeptAnswers } from "./fragments/kept-answers.ts";
import { widgetsRoute } from "./gallery/widgets-route.tsx";
import { allowMethodsOf, answerOptionsOf } from "./http/allow-methods.ts";
import { healthRoutes } from "./http/health-routes.ts";
import type { Overload } from "./http/overload.ts";
import { nameRoute, requestLog } from "./http/request-log.ts";
import { secureByOrigin } from "./http/secure-by-origin.ts";
import { createProtect } from "./http/security-headers.ts";
import { serviceErrorHandlers } from "./http/service-error-handlers.ts";
import { assetFiles, imageFiles, madeFiles } from "./http/static-files.ts";
import { warnOfUnknownProxy } from "./http/warn-of-unknown-proxy.ts";
import { whoMayStore } from "./http/who-may-store.ts";
import { loginPageRoutes, loginPaths } from "./login/login-page-routes.ts";
import { logoutRoute } from "./login/logout-route.ts";
import { newsletterContentRoute } from "./newsletter/newsletter-content-route.ts";
import { newsletterFormRoutes } from "./newsletter/newsletter-form-routes.ts";
import { newsletterLinkRoutes } from "./newsletter/newsletter-link-routes.ts";
import { picturesPath } from "./newsletter/newsletter-pictures.ts";
import { refuseSignUps } from "./newsletter/refuse-sign-ups.ts";
import { mailPath, outboxRoute } from "./overview/outbox-route.tsx";
import { overviewRoute } from "./overview/overview-route.tsx";
import { errorHandler } from "./pages/error-handler.ts";
import { notFound } from "./pages/not-found.ts";
import { createPageRenderer } from "./pages/page-renderer.tsx";
import { viewRoute } from "./pages/view-route.ts";
import type { Parts } from "./parts.ts";
import { hidePreviews } from "./preview/hide-previews.ts";
import { previewPageRoutes } from "./preview/preview-page-routes.ts";
import { removeLostChoices } from "./preview/remove-lost-choices.ts";
import type { renderStream } from "./render/render-stream.ts";
import { subscriberPaths } from "./services/newsletter-service.ts";
import { previewPath } from "./services/preview-service.ts";
import type { Shop } from "./shop/open-shop.ts";
import type { Tracer } from "./tracing/tracer.ts";

export interface AppDeps extends Parts {
  env: Pick<Env, "demo" | "hsts" | "overview" | "renderCache" | "trustProxy">;
  fallbacks: Fallbacks;
  fragments: Fragments;
  overload: Pick<Overload, "isOver" | "sheds">;
  shop: Shop;
  /** Records spans; undefined where nobody collects any. */
  tracer: Tracer | undefined;
  /** Replaces the React renderer of fragments, to try out its failures. */
  renderElement?: typeof renderStream;
}

/** The service: everything it does, in the order in which a request meets it. */
export function createApp({ fragments: { all, footer, head, newsletterContents }, shop, ...deps }: AppDeps): Express {
  const { assets, brand, env, logger, logos, metrics, readiness } = deps;
  const renderer = createFragmentRenderer({ ...deps, build: assets.build, cache: env.renderCache });
  const keptAnswers = createKeptAnswers({ ...deps, renderer });
  const pages = createPageRenderer({ ...deps, ...shop, footer, renderer });
  const service = { ...deps, ...shop, fragments: all, head, keptAnswers, newsletterContents, pages, renderer };

  const protect = createProtect({
    assetOrigin: assets.origin,
    hasFonts: brand.type.font !== undefined,
    hsts: env.hsts,
  });
  const app = express();
  // Express would send an ETag of its own: test/server/fragments/fragment-routes.test.ts
  app.disable("x-powered-by").disable("etag").set("env", "production");
  app.set("query parser", "simple").set("trust proxy", env.trustProxy);

  // Checks of health are neither logged nor measured: test/server/http/request-log.test.ts
  app.use(healthRoutes(readiness, protect));
  app.use(requestLog(logger, metrics, deps.tracer), cookieParser());
  app.use("/fragments", keptAnswers.send);
  app.use(warnOfUnknownProxy(logger));
  app.use(whoMayStore(), protect("any"));
  app.use(answerOptionsOf(app.router));
  app.use("/assets", nameRoute("/assets/*"), protect("asset"));
  app.use(newsletterContentRoute(service));
  app.use("/assets", madeFiles(assets.made), assetFiles(deps.assetsFolder));
  app.use("/service/footer-images/logos", nameRoute("/service/footer-images/logos/*"), imageFiles(logos.folders));
  app.use(picturesPath, nameRoute(`${picturesPath}/*`), imageFiles(deps.pictures.folders));
  app.use("/fragments", protect("fragment"));
  app.use(fragmentRoutes(service));
  app.use(secureByOrigin(deps.siteOf));

  app.use(subscriberPaths, refuseSignUps(deps.siteOf));
  // A real service says itself who may store its answers: test/server/upstreams/forwarder.test.ts
  app.use(shop.forwarders);
  // Not in front of the fragments, as what anybody may store sets no cookies: test/server/services/preview-of.test.ts
  if (shop.preview) app.use(removeLostChoices(shop.preview));
  app.use("/service", protect("call"), hidePreviews(shop.previewOf));
  app.use(shop.routes, allowMethodsOf(shop.routes));
  app.use("/service", serviceErrorHandlers(logger));

  app.use(protect("page"), hidePreviews(shop.previewOf));
  app.use([...loginPaths, previewPath], protect("passwordPage"));
  app.use(loginPageRoutes(service), logoutRoute(shop.login));
  app.use(viewRoute());
  app.use(newsletterFormRoutes(service), newsletterLinkRoutes(service));
  if (shop.preview) app.use(previewPageRoutes({ ...service, preview: shop.preview }));
  app.use(homeRoute(service));
  if (env.overview) app.use(overviewRoute(service), widgetsRoute(service));
  if (shop.mails) app.use(mailPath, protect("mail")).use(outboxRoute({ ...service, mails: shop.mails }));
  if (env.demo) app.use(demoPages(service));
  app.use(allowMethodsOf(app.router), notFound(pages), errorHandler(logger, pages));
  return app;
}
