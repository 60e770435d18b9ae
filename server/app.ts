import type { IncomingMessage } from "node:http";
import { createAbTests } from "./features/abtests/index.ts";
import { createAssetArchive } from "./features/asset-archive/index.ts";
import { createContent } from "./features/content/index.ts";
import { createCustomer } from "./features/customer/index.ts";
import { createEdgePurges } from "./features/edge-purges/index.ts";
import type { AppContext, Feature } from "./features/feature.ts";
import { createFooter, createFooterTrial } from "./features/footer/index.ts";
import { createHeader } from "./features/header/index.ts";
import { createLogin } from "./features/login/index.ts";
import { createNewsletter } from "./features/newsletter/index.ts";
import { createPreview } from "./features/preview/index.ts";
import { createPromotion } from "./features/promotion/index.ts";
import { createSitePages } from "./features/site-pages/index.ts";
import { createWellKnown } from "./features/well-known/index.ts";
import { answerOptionsOf } from "./http/allow-methods.ts";
import { refuseUnknownHosts } from "./http/allowed-hosts.ts";
import { cachePolicy } from "./http/cache-control.ts";
import { secureByOrigin, warnOfUnknownProxy } from "./http/client-address.ts";
import { createExpressApp } from "./http/express-app.ts";
import type { Handling } from "./http/load-shedding.ts";
import { createBackchannelRoutes } from "./oidc/backchannel-routes.ts";
import { errorPages } from "./rendering/error-pages.ts";
import { createFragmentService } from "./rendering/fragment-service.ts";
import { createPageRenderer } from "./rendering/page-renderer.tsx";
import { serviceRoutes } from "./upstream/service-routes.ts";

export type App = Awaited<ReturnType<typeof createApp>>;

/**
 * The whole service: every feature, then middleware and routes in the order in which a request passes them. Doesn't
 * start the jobs.
 * @throws StartError if the store can't be opened
 */
export async function createApp(context: AppContext) {
  const edge = await createEdgePurges(context, (name, site) => fragments.etagOf(name, site));
  const newsletter = await createNewsletter(context);
  const content = createContent(context, createFooterTrial(context, newsletter.islands), edge.purge);
  const abTests = await createAbTests(context, edge.purge);
  const login = await createLogin(context);
  const preview = await createPreview(context, abTests.findTests, content.contents);
  const backchannel = await createBackchannelRoutes(login.providerSessions, context);
  const promotion = await createPromotion(context, preview.previewOf, abTests.groups);
  const customer = createCustomer(context, login.loginOf, newsletter.listSubscriptions);
  const footer = createFooter(
    context,
    promotion.promotions,
    newsletter.islands,
    content.contents,
    abTests.groups,
    edge.purge,
  );
  const header = createHeader(context);
  const files = createAssetArchive(context, newsletter.listContents(), edge.purge);
  const shown = [footer, header, newsletter, login, preview];
  const features: Feature[] = [edge, content, ...shown, promotion, abTests, customer, files, createWellKnown(context)];
  const rendering = { ...context, previewOf: preview.previewOf, sessionOf: login.sessionOf };
  const fragments = createFragmentService(rendering, features);
  const pages = createPageRenderer(rendering, footer.fragment, fragments.renderer);
  const classify = (request: IncomingMessage): Handling =>
    fragments.classify(request) ?? { load: files.isKnown(request) ? "cached" : "dynamic" };
  const services = features.flatMap(({ service }) => service ?? []);

  const { countries, env, logger, securityHeaders } = context;
  // Includes health checks, the request log, and cookies.
  const app = createExpressApp(context);
  app.use("/fragments", fragments.replay);
  app.use(warnOfUnknownProxy(logger), securityHeaders.base, answerOptionsOf(app.router));
  app.use(files.routes);
  app.use(fragments.routes);
  // Fragments and files are served for any host, because composers and caches in front use names of their own.
  app.use(refuseUnknownHosts(env, countries.sites), secureByOrigin(context.siteOf));
  app.use(serviceRoutes(services, context, preview.noStoreForPreviews), backchannel);

  app.use(securityHeaders.page, cachePolicy("page"), preview.noStoreForPreviews);
  app.use([...login.paths, ...preview.paths], securityHeaders.passwordPage, cachePolicy("private"));
  app.use(features.flatMap((feature) => feature.pages?.(pages) ?? []));
  const shownToTeams = {
    contents: content.contents,
    fragments: fragments.fragments,
    head: fragments.head,
    mails: newsletter.mails,
    staffLogin: preview.paths,
    pages,
  };
  const sitePages = await createSitePages(context, shownToTeams, preview.previewOf);
  app.use(sitePages);
  app.use(errorPages(app.router, logger, pages));
  const jobs = features.flatMap((feature) => feature.jobs ?? []);
  return { app, classify, jobs, content, fragments, footer, newsletter, preview };
}
