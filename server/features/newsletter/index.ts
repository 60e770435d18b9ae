import { type RequestHandler, Router } from "express";
import type { Moment } from "../../../client/rules/time.ts";
import { setCachePolicy } from "../../http/cache-control.ts";
import { describeFailure } from "../../http/error-handler.ts";
import type { Job } from "../../platform/lifecycle.ts";
import type { SiteResolver } from "../../sites/resolve-site.ts";
import { offersNewsletter } from "../../sites/site.ts";
import { createHousekeeping } from "../../store/housekeeping.ts";
import { rewrapLastingKeys } from "../../store/lasting-keys.ts";
import { openServices } from "../../upstream/site-upstreams.ts";
import { createWebhook } from "../../upstream/webhook.ts";
import type { AppContext, Feature } from "../feature.ts";
import { createEmbeddedNewsletter } from "./embedded/embedded-newsletter.ts";
import { createNewsletterContext } from "./embedded/newsletter-context.ts";
import { loadNewsletterKeys } from "./embedded/newsletter-keys.ts";
import { newsletterRoutes } from "./embedded/newsletter-routes.ts";
import { listSubscriptions } from "./embedded/subscriptions.ts";
import { createVoucherJob } from "./embedded/voucher-job.ts";
import { createMailComposer, createMailReader } from "./mail/compose-mail.tsx";
import type { MailTransport } from "./mail/mail-transport.ts";
import { createMailWorker } from "./mail/mail-worker.ts";
import { openMailTransport } from "./mail/open-mail-transport.ts";
import { createOutbox } from "./mail/outbox.ts";
import { createNewsletterBlocks, createNewsletterFragment } from "./newsletter-fragment.tsx";
import { newsletterPages } from "./newsletter-pages.tsx";
import { preferencesPages } from "./preferences-pages.tsx";
import { type NewsletterOf, newsletterDeadline, preferencesPath, subscriberPaths } from "./service.ts";
import { createNewsletterUpstream } from "./upstream.ts";
import { createEventWorker, eventTimeout } from "./webhook/events.ts";
import { reportRoutes } from "./webhook/report-routes.ts";

declare module "../feature.ts" {
  interface AppContext {
    /** Replaces the email transport in tests. */
    openMailTransport?(): MailTransport | Promise<MailTransport>;
  }
}

/**
 * POST requests that don't come from the shop's pages: mail programs unsubscribe their users (RFC 8058), and the
 * program that sends newsletters reports openings.
 */
const openToAll = /^\/[^/\\]+\/(?:unsubscribe|opened)$/;

/** The newsletter: the sign-up block, the pages behind its links, and the embedded or real service. */
export async function createNewsletter(context: AppContext) {
  const { env, upstreams } = context;
  const blocks = createNewsletterBlocks(context);
  const services = await openServices(upstreams.newsletter, async (real) =>
    real
      ? { newsletter: createNewsletterUpstream(real), routes: [], jobs: [], mails: undefined }
      : openEmbedded(context, await (context.openMailTransport?.() ?? openMailTransport(env))),
  );
  const newsletterOf: NewsletterOf = (site) => services.of(site).newsletter;
  return {
    fragments: [createNewsletterFragment(context, blocks)],
    service: {
      name: "newsletter",
      paths: subscriberPaths.map((path) => ({ path, openToAll, deadline: newsletterDeadline })),
      allowed: { originalAddress: true },
      guard: Router().use(leadToPreferences(), requireNewsletterSite(context.siteOf)),
      upstreams: upstreams.newsletter,
      routes: services.all.flatMap(({ routes }) => routes),
    },
    pages: (renderer) => [
      newsletterPages(context, newsletterOf, blocks, renderer),
      preferencesPages(context, newsletterOf, renderer),
    ],
    jobs: services.all.flatMap<Job>(({ jobs }) => jobs),
    /** The sign-up blocks, for pages of other features. */
    islands: blocks.islands,
    listSubscriptions: async (email: string) => listSubscriptions((await context.openStore()).db, email),
    /** The emails of the embedded service; undefined unless everybody may read them. */
    mails: env.outbox ? services.all.find(({ mails }) => mails)?.mails : undefined,
    listContents: blocks.listContents,
  } satisfies Feature & Record<string, unknown>;
}

/** Lists the content that a shop's sign-up blocks share and browsers load, by names below /assets/. */
export function listSharedContents(shop: Parameters<typeof createNewsletterBlocks>[0]): Map<string, Buffer> {
  return createNewsletterBlocks(shop).listContents();
}

/** Creates the embedded service with the workers that send its mails and events. */
async function openEmbedded(context: AppContext, transport: MailTransport) {
  const { brand, countries, env, logger, metrics, readiness, texts } = context;
  const { db } = await context.openStore();
  const worker = { logger, metrics, clock: Date.now, isDraining: () => readiness.state === "draining" };
  await rewrapLastingKeys(db, context.keys, logger);
  const keys = await loadNewsletterKeys(db, context.keys);
  const newsletterContext = createNewsletterContext({ ...context, keys }, db);
  const { senderTokenOf, preferencesTokenOf, suppression } = newsletterContext;
  const webhook = env.newsletterWebhook && createWebhook(env.newsletterWebhook, { deadline: eventTimeout });
  const eventWorker = webhook && createEventWorker({ ...worker, db, webhook, senderTokenOf, preferencesTokenOf });
  const compose = createMailComposer({ brand, countries, texts, mailFrom: env.mailFrom });
  const recordBounce = (address: string, at: Moment) => suppression.recordBounce(db, address, at);
  const mailWorker = createMailWorker({ ...worker, outbox: createOutbox(db), compose, transport, recordBounce });
  const newsletter = createEmbeddedNewsletter(newsletterContext, mailWorker, eventWorker);
  return {
    newsletter,
    mails: transport.find && createMailReader(db, compose, transport.find),
    routes: [
      newsletterRoutes(context, newsletter),
      ...(env.newsletterReports ? [reportRoutes(context, env.newsletterReports, newsletter)] : []),
    ],
    jobs: [
      mailWorker,
      ...(eventWorker ? [eventWorker] : []),
      createVoucherJob(newsletterContext, () => {
        mailWorker.wake();
        eventWorker?.wake();
      }),
      createHousekeeping(newsletter.cleanUp, db, context),
    ],
  };
}

/**
 * Redirects people to the subscriber's page, where they end their subscription: mail programs without RFC 8058 open the
 * URL in `List-Unsubscribe` in a browser. Changes nothing, because mail scanners follow links, too. Doesn't call a real
 * service.
 */
function leadToPreferences(): RequestHandler {
  const addresses = subscriberPaths.map((path) => `${path}/:token/unsubscribe`);
  // Doesn't use `get`, because answers to OPTIONS would list the method.
  return Router().use(addresses, (request, response, next) => {
    const isOpened = ["GET", "HEAD"].includes(request.method) && request.path === "/";
    if (!isOpened || request.accepts("json", "html") !== "html") return next();
    const { site } = request.query;
    const query = new URLSearchParams({ token: String(request.params.token) });
    if (typeof site === "string") query.set("site", site);
    setCachePolicy(response, "page");
    response.status(303).location(`${preferencesPath}?${query}`).end();
  });
}

/** Rejects sign-ups on sites that offer no newsletter. */
function requireNewsletterSite(siteOf: SiteResolver): RequestHandler {
  return Router().use(subscriberPaths, (request, response, next) => {
    const { method, path } = request;
    if (method !== "POST" || path !== "/" || offersNewsletter(siteOf.call(request))) return next();
    const body = describeFailure({ kind: "unavailable", message: "the site offers no newsletter" });
    setCachePolicy(response, "page");
    response.status(body.status).json(body);
  });
}
