import { Router } from "express";
import type { Job } from "../drain.ts";
import type { Env } from "../env.ts";
import { createOriginalAddressOf } from "../http/original-address.ts";
import type { Parts } from "../parts.ts";
import type { ReportEvent } from "../security-events.ts";
import type { Identify } from "../services/customer-service.ts";
import type { LoginService } from "../services/login-service.ts";
import type { MailReader } from "../services/mail-reader.ts";
import type { NewsletterForPages } from "../services/newsletter-service.ts";
import { createPreviewOf, type PreviewOf } from "../services/preview-of.ts";
import type { PreviewService } from "../services/preview-service.ts";
import type { PromotionService } from "../services/promotion-service.ts";
import { createSessionOf, type SessionOf } from "../services/session-of.ts";
import type { Site } from "../sites/countries.ts";
import { createAbTestUpstream } from "../upstreams/abtest.ts";
import { createLoginUpstream } from "../upstreams/login.ts";
import { createNewsletterUpstream } from "../upstreams/newsletter.ts";
import { openUpstreams } from "../upstreams/open-upstreams.ts";
import { createPreviewUpstream } from "../upstreams/preview.ts";
import { createPromotionUpstream } from "../upstreams/promotion.ts";
import { upstreamRoutes } from "../upstreams/upstream-routes.ts";
import { openAbTests } from "./abtests/open-ab-tests.ts";
import { openCustomer } from "./customer/open-customer.ts";
import type { EmbeddedService } from "./embedded-service.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { openLogin } from "./login/open-login.ts";
import type { MailTransport } from "./mail/mail-transport.ts";
import { openNewsletter } from "./newsletter/open-newsletter.ts";
import { openSecurityEvents } from "./open-security-events.ts";
import { openPreview } from "./preview/open-preview.ts";
import { openPromotion } from "./promotion/open-promotion.ts";
import { openPurges } from "./purge/open-purges.ts";
import { seedDemo } from "./seed-demo.ts";
import { lockDemoSignIns, seedSignIns } from "./seed-sign-ins.ts";
import { keepSignIns } from "./sign-in/housekeeping.ts";
import type { Database, Store } from "./store/open-store.ts";
import { watchStore } from "./store/watch-store.ts";

interface ShopOptions {
  env: Pick<
    Env,
    | "demo"
    | "demoPassword"
    | "mailFrom"
    | "newsletterWebhook"
    | "originalAddressFrom"
    | "outbox"
    | "purgeUrl"
    | "upstreams"
  >;
  parts: Parts;
  /** Opens the store. It is called at most once, and only where a service is embedded. */
  openStore(): Promise<Store>;
  /** Sends the mails of the embedded newsletter service. */
  openMailTransport(): MailTransport | Promise<MailTransport>;
}

/** The shop's services. Callers can't tell which are embedded and which are real. */
export interface Shop {
  /** Passes the calls of the real services on. */
  forwarders: Router;
  /** Answers the calls of the embedded services. */
  routes: Router;
  identify: Identify;
  sessionOf: SessionOf;
  login: LoginService;
  newsletter: NewsletterForPages;
  /** The newsletter's mails, for everybody to read; undefined where none are kept, or where they are nobody's business. */
  mails: MailReader | undefined;
  promotion: PromotionService;
  /** Lets the edge forget what it keeps of a site; undefined where nothing is told. */
  purge: ((site: Site) => Promise<void>) | undefined;
  previewOf: PreviewOf;
  /** The embedded preview service, with its page where staff sign in; undefined where a real one has its own. */
  preview: PreviewService | undefined;
  /** The jobs that the embedded services do by themselves, not yet started. */
  jobs: Job[];
  /** Lines that tell the credentials of the demo. */
  signIns: string[];
}

/** The routes and jobs of a real service, which has neither here. */
const elsewhere: EmbeddedService = { routes: [], jobs: [] };

/** What the embedded services know of the customers of a real login service. */
const knowsNobody = { identify: async () => undefined, findKnownEmail: async () => undefined };

/**
 * Makes one choice per service: the real one where its URL is set, else the embedded one, which is built only then.
 * @throws StartError when the store can't be opened
 */
export async function openShop({ env, parts, openStore, openMailTransport }: ShopOptions): Promise<Shop> {
  const { logger, metrics, siteOf } = parts;
  const real = openUpstreams(env.upstreams, logger, metrics);
  const originalAddressOf = createOriginalAddressOf(env.originalAddressFrom);
  let store: Promise<Store> | undefined;
  const openDb = async () => {
    store ??= openStore();
    return (await store).db;
  };
  let reported: Promise<ReportEvent> | undefined;
  const openReport = async () => {
    reported ??= openSecurityEvents(await openDb(), logger, metrics);
    return reported;
  };

  const abTests = real.abtest ? { ...elsewhere, find: createAbTestUpstream(real.abtest) } : openAbTests(await openDb());
  const login = real.login
    ? { ...elsewhere, ...knowsNobody, service: createLoginUpstream(real.login) }
    : await openLogin(await openDb(), await openReport(), metrics);
  const preview = real.preview
    ? { ...elsewhere, chosen: createPreviewUpstream(real.preview), service: undefined }
    : await openPreview(await openDb(), await openReport(), abTests.find, parts);
  const previewOf = createPreviewOf(preview.service ?? preview.chosen, logger);
  const promotion = real.promotion
    ? { ...elsewhere, service: createPromotionUpstream(real.promotion) }
    : openPromotion(await openDb(), previewOf, siteOf);
  const newsletter = real.newsletter
    ? { ...elsewhere, service: createNewsletterUpstream(real.newsletter), mails: undefined }
    : await openNewsletter(
        await openDb(),
        { from: env.mailFrom, transport: await openMailTransport(), webhook: env.newsletterWebhook },
        originalAddressOf,
        parts,
        await openReport(),
      );
  const customer = real.customer ? elsewhere : openCustomer(await openDb(), login, siteOf);

  // Customers and staff share most of what is cleaned up.
  const signIns = real.login && real.preview ? elsewhere : { routes: [], jobs: [keepSignInsOf(await openDb(), parts)] };

  const purges = env.purgeUrl === undefined ? undefined : openPurges(await openDb(), env.purgeUrl, parts);

  const watch = store ? [watchStore((await store).db, parts)] : [];

  const services: EmbeddedService[] = [abTests, promotion, newsletter, customer, login, preview, signIns];
  const routes = Router();
  for (const router of services.flatMap((service) => service.routes)) routes.use(router);
  return {
    forwarders: upstreamRoutes(real, { originalAddressOf }),
    routes,
    identify: login.identify,
    sessionOf: createSessionOf(real.login ? undefined : login.identify, logger),
    login: login.service,
    newsletter: newsletter.service,
    mails: env.outbox ? newsletter.mails : undefined,
    promotion: promotion.service,
    purge: purges && (({ site }) => purges.purge(`country-${site}`)),
    previewOf,
    preview: preview.service,
    jobs: [...services.flatMap(({ jobs }) => jobs), ...watch, ...(purges ? [purges.worker] : [])],
    signIns: store ? await prepareDemo(await openDb(), await openReport(), env, parts) : [],
  };
}

function keepSignInsOf(db: Database, parts: Parts): Job {
  return createHousekeeping(() => keepSignIns(db, Date.now()), db, parts);
}

/**
 * Fills the embedded services with the demo's data, or keeps the sign-ins of an earlier demo out.
 * @returns lines that tell the credentials of the demo
 */
async function prepareDemo(
  db: Database,
  report: ReportEvent,
  env: ShopOptions["env"],
  { countries, texts }: Parts,
): Promise<string[]> {
  if (!env.demo) {
    await lockDemoSignIns(db, report);
    return [];
  }
  const { abtest, promotion } = env.upstreams;
  if (!abtest || !promotion) await seedDemo({ db, sites: countries.sites, texts });
  return seedSignIns(db, env);
}
