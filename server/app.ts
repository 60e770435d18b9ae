import cookieParser from "cookie-parser";
import express, { Router } from "express";
import { openAccounts } from "./accounts/open-accounts.ts";
import { createAbTests } from "./features/abtests/index.ts";
import { createCustomer } from "./features/customer/index.ts";
import type { AppContext, Feature } from "./features/feature.ts";
import { createFooter } from "./features/footer/index.ts";
import { createLogin, loginPaths } from "./features/login/index.ts";
import { createNewsletter } from "./features/newsletter/index.ts";
import { createPreview } from "./features/preview/index.ts";
import { createPromotion } from "./features/promotion/index.ts";
import { createSitePages } from "./features/site-pages/index.ts";
import { allowMethodsOf, answerOptionsOf } from "./http/allow-methods.ts";
import { cachePolicy } from "./http/cache-control.ts";
import { secureByOrigin, warnOfUnknownProxy } from "./http/client-address.ts";
import { apiErrorHandlers } from "./http/error-handler.ts";
import { healthRoutes } from "./http/health-routes.ts";
import { requestLog } from "./http/request-log.ts";
import { createSecurityHeaders } from "./http/security-headers.ts";
import { staticFiles } from "./http/static-files.ts";
import { errorPages, notFoundPage } from "./rendering/error-pages.ts";
import { createFragmentService } from "./rendering/fragment-service.ts";
import { createPageRenderer } from "./rendering/page-renderer.tsx";
import { upstreamRoutes } from "./upstream/forwarder.ts";

/** What tests replace to try out failures. */
export interface AppOptions {
  openMailTransport?: Parameters<typeof createNewsletter>[1];
  renderElement?: Parameters<typeof createFragmentService>[3];
}

export type App = Awaited<ReturnType<typeof createApp>>;

/**
 * The whole service: every feature, then everything it answers, in the order in which a request meets it. Its jobs aren't
 * started.
 * @throws StartError when the store can't be opened
 */
export async function createApp(context: AppContext, options: AppOptions = {}) {
  const abTests = await createAbTests(context);
  const login = await createLogin(context);
  const preview = await createPreview(context, abTests.findTests);
  const promotion = await createPromotion(context, preview.previewOf);
  const newsletter = await createNewsletter(context, options.openMailTransport);
  const customer = createCustomer(context, login.sessions, newsletter.subscriptions);
  const footer = await createFooter(context, promotion.promotions, newsletter.islands);
  const features: Feature[] = [footer, newsletter, login, preview, promotion, abTests, customer];
  const fragments = createFragmentService(context, features, preview.previewOf, options.renderElement);
  const pages = createPageRenderer({ ...context, ...fragments, ...preview, ...login, footer: footer.fragment });
  const services = features.flatMap(({ service }) => service ?? []);
  const accounts = await openAccounts(context);

  const { assets, brand, env, logger } = context;
  const hasFont = brand.type.font !== undefined;
  const securityHeaders = createSecurityHeaders({ assetOrigin: assets.origin, hasFont, hsts: env.hsts });
  const app = express();
  // Without an ETag of Express's own: fragments and files have theirs.
  app.disable("x-powered-by").disable("etag").set("env", "production");
  app.set("query parser", "simple").set("trust proxy", env.trustProxy);

  // Health checks are neither logged nor measured.
  app.use(healthRoutes(context.readiness, securityHeaders));
  app.use(requestLog(logger, context.metrics), cookieParser());
  app.use("/fragments", fragments.cache);
  app.use(warnOfUnknownProxy(logger), securityHeaders.base, answerOptionsOf(app.router));
  app.use(newsletter.assets, staticFiles(context));
  app.use("/fragments", securityHeaders.fragment).use(fragments.routes);
  app.use(secureByOrigin(context.siteOf));

  app.use(newsletter.requireNewsletterSite);
  // A real service decides itself how its responses are cached.
  app.use(upstreamRoutes(services, context.originalAddressOf));
  app.use("/service", cachePolicy("page"), preview.noStoreForPreviews);
  const calls = mount(services.flatMap(({ routes }) => routes));
  app.use(calls, allowMethodsOf(calls)).use("/service", apiErrorHandlers(logger));

  app.use(securityHeaders.page, cachePolicy("page"), preview.noStoreForPreviews);
  app.use([...loginPaths, ...preview.paths], securityHeaders.passwordPage, cachePolicy("private"));
  app.use(mount(features.flatMap((feature) => feature.pages?.(pages) ?? [])));
  app.use(createSitePages(context, { ...fragments, mails: newsletter.mails, pages }));
  app.use(allowMethodsOf(app.router), notFoundPage(pages), errorPages(logger, pages));
  const jobs = [...features.flatMap((feature) => feature.jobs ?? []), ...accounts.jobs];
  return { app, jobs, demoSignIns: accounts.demoSignIns, fragments, footer, newsletter, preview };
}

function mount(routes: readonly Router[]): Router {
  const router = Router();
  for (const route of routes) router.use(route);
  return router;
}
