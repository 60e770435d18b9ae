import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import express from "express";
import { createApp } from "./app.ts";
import { loadAssets } from "./assets.ts";
import { drainOnSignal, type Resource } from "./drain.ts";
import { type Env, readEnv } from "./env.ts";
import { StartError } from "./errors.ts";
import { loadLogos } from "./footer/logos.ts";
import { keepPromotions } from "./footer/promotions.ts";
import { healthRoutes, type Readiness } from "./http/health-routes.ts";
import { loadTexts } from "./i18n.ts";
import { createLogger } from "./logger.ts";
import { createMetrics } from "./metrics.ts";
import { createOpsApp } from "./ops-app.ts";
import { assetsFolder, root } from "./root.ts";
import { createDemoPassword, demoCustomer, seedDemoCustomer } from "./shop/login/demo-customer.ts";
import { createMailComposer } from "./shop/mail/compose-mail.tsx";
import { createFileTransport } from "./shop/mail/file-transport.ts";
import { startMailWorker } from "./shop/mail/mail-worker.ts";
import { createOutbox } from "./shop/mail/outbox.ts";
import { createSmtpTransport } from "./shop/mail/smtp-transport.ts";
import { keepHouse } from "./shop/newsletter/housekeeping.ts";
import { demoStaff, seedDemoStaff } from "./shop/preview/demo-staff.ts";
import { findPromotion } from "./shop/promotion/find-promotion.ts";
import { seedDemo } from "./shop/seed-demo.ts";
import { keepLogins } from "./shop/sign-in/housekeeping.ts";
import { startHousekeeping } from "./shop/start-housekeeping.ts";
import { loadServiceKey } from "./shop/store/load-service-key.ts";
import { type Database, openStore } from "./shop/store/open-store.ts";
import { findSites, loadCountries, type Site } from "./sites/countries.ts";
import { createPromotionUpstream } from "./upstreams/promotion.ts";

try {
  await start(readEnv(process.env, findSites(join(root, "countries"))));
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  for (const fault of error.faults) console.error(fault);
  process.exit(1);
}

async function start(env: Env) {
  const logger = createLogger(env.logLevel);
  const metrics = createMetrics();
  const readiness: Readiness = { state: "starting" };

  // Listening first: the port may be the system's choice, and readiness is to answer while the service starts.
  let handle: RequestListener = express()
    .use(healthRoutes(readiness))
    .use((_request, response) => response.status(503).set("Retry-After", "1").end());
  const main = await listen(
    hardened((request, response) => handle(request, response)),
    env.host,
    env.port,
  );
  const servers = [main];
  if (env.opsPort > 0) {
    servers.push(await listen(createServer(createOpsApp(metrics, readiness)), env.host, env.opsPort));
  }
  const resources: Resource[] = [];
  drainOnSignal({ servers, resources, readiness }, logger);
  const { port } = main.address() as AddressInfo;

  const texts = await loadTexts(join(root, "locales"), logger);
  const countries = await loadCountries({
    folder: join(root, "countries"),
    texts,
    origins: env.siteOrigins,
    localPort: env.demo ? port : undefined,
  });
  const store = await openStore({ ...env, logger });
  resources.push(store);
  const signIns: string[] = [];
  if (env.demo) {
    await seedDemo({ db: store.db, sites: countries.sites, texts });
    signIns.push(...(await seedSignIns(store.db, env)));
  }
  const mail = startMailWorker({
    outbox: createOutbox(store.db),
    compose: createMailComposer({ countries, texts, mailFrom: env.mailFrom }),
    transport: env.smtpUrl ? createSmtpTransport(env.smtpUrl) : createFileTransport(join(env.dataDir, "outbox")),
    logger,
    metrics,
    clock: Date.now,
    isDraining: () => readiness.state === "draining",
  });
  resources.push(mail);
  const promotions = await keepPromotions({
    sites: countries.sites,
    find: env.upstreams.promotion
      ? createPromotionUpstream(env.upstreams.promotion)
      : ({ site }) => findPromotion(store.db, "SHOP_FOOTER", { site, at: new Date() }),
    logger,
  });
  resources.push(promotions);
  if (!env.upstreams.newsletter) {
    const networkKey = await loadServiceKey(store.db, "network-address");
    const context = { db: store.db, countries, networkKey, clock: Date.now };
    resources.push(startHousekeeping(() => keepHouse(context), logger));
  }
  if (!env.upstreams.login || !env.upstreams.preview)
    resources.push(startHousekeeping(() => keepLogins(store.db, Date.now()), logger));
  handle = await createApp({
    assets: await loadAssets(assetsFolder, env.assetBaseUrl),
    assetsFolder,
    countries,
    defaultSite: env.defaultSite,
    logger,
    logos: loadLogos(join(root, "client/footer/logos"), logger),
    mail,
    metrics,
    promotions,
    readiness,
    renderCache: env.renderCache,
    store,
    texts,
    trustProxy: env.trustProxy,
    upstreams: env.upstreams,
  });
  if (readiness.state === "starting") readiness.state = "ready";
  logger.info({ host: env.host, port, sites: countries.sites.length }, "listening");
  if (env.demo) printAddresses(port, countries.sites, signIns);
}

/** Limits that keep slow or hostile connections from holding the service: https://nodejs.org/api/http.html#httpcreateserveroptions-requestlistener */
function hardened(listener: RequestListener): Server {
  return createServer(
    {
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      // Longer than the idle time of usual edge proxies, so that it is they who close.
      keepAliveTimeout: 75_000,
      maxHeaderSize: 16 * 1024,
    },
    listener,
  );
}

function listen(server: Server, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new StartError([`environment: can't listen on ${host}:${port} (${error.code})`])),
    );
    server.listen(port, host, () => resolve(server));
  });
}

/** Returns lines that say with what to sign in: the store doesn't keep a password that was made up. */
async function seedSignIns(db: Database, { demoPassword, upstreams }: Env): Promise<string[]> {
  const password = demoPassword ?? createDemoPassword();
  const isGiven = demoPassword !== undefined;
  const tell = (isValid: boolean) => (isValid ? password : "(password: as printed at the first start)");
  const lines: string[] = [];
  if (!upstreams.login)
    lines.push(`Customer  ${demoCustomer.email}  ${tell(await seedDemoCustomer(db, password, isGiven))}`);
  if (!upstreams.preview) lines.push(`Staff     ${demoStaff}  ${tell(await seedDemoStaff(db, password, isGiven))}`);
  return lines;
}

function printAddresses(port: number, sites: readonly Site[], signIns: readonly string[]) {
  console.log(`\nOverview  http://localhost:${port}/`);
  for (const { localHost } of sites) console.log(`Shop      http://${localHost}:${port}/`);
  for (const signIn of signIns) console.log(signIn);
  console.log();
}
