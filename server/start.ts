import type { RequestListener } from "node:http";
import express from "express";
import packageJson from "../package.json" with { type: "json" };
import { createApp } from "./app.ts";
import { drainOnCrash } from "./crash.ts";
import { createFragments } from "./create-fragments.ts";
import { describeConfiguration } from "./describe-configuration.ts";
import { createDrain, drainOnSignal, type Resource } from "./drain.ts";
import { type CheckedEnv, checkEnv, type Tracing } from "./env.ts";
import { StartError } from "./errors.ts";
import { findStartFaults } from "./find-production-faults.ts";
import { createPromotions } from "./footer/promotions.ts";
import { createFallbacks } from "./fragments/fallbacks.ts";
import { healthRoutes, type Readiness } from "./http/health-routes.ts";
import { createOverload } from "./http/overload.ts";
import { createProtect } from "./http/security-headers.ts";
import { listAddresses } from "./list-addresses.ts";
import { listen } from "./listen.ts";
import { createLogger, type Logger } from "./logger.ts";
import { createMetrics } from "./metrics.ts";
import { createOpsApp } from "./ops-app.ts";
import { createAnswerShed } from "./pages/answer-shed.tsx";
import { loadParts } from "./parts.ts";
import { createMailTransport } from "./shop/mail/create-mail-transport.ts";
import { openShop } from "./shop/open-shop.ts";
import { openStore, toStartError } from "./shop/store/open-store.ts";
import { findGaps } from "./sites/find-gaps.ts";
import type { Tracer } from "./tracing/tracer.ts";
import { warnOfSettings } from "./warn-of-settings.ts";

try {
  await start(checkEnv(process.env));
} catch (error) {
  const reason = toStartError(error);
  if (!(reason instanceof StartError)) throw reason;
  for (const fault of reason.faults) console.error(fault);
  process.exit(1);
}

async function start(checked: CheckedEnv) {
  const { env } = checked;
  const logger = createLogger({ level: env.logLevel, service: env.serviceName });
  const metrics = createMetrics();
  const readiness: Readiness = { state: "starting" };
  const loadPartsAt = (port: number) =>
    loadParts(env, { logger, metrics, readiness }, port, (sites) => findStartFaults(checked, sites));
  // This throws: for what is wrong with the countries, too, and before anything listens at a port that may be wrong.
  if (checked.faults.length > 0) await loadPartsAt(env.port);
  const protect = createProtect(env);

  // Listening first: the port may be the system's choice, and readiness is to answer while the service starts.
  let handle: RequestListener = express()
    .disable("x-powered-by")
    .use(healthRoutes(readiness, protect))
    .use((_request, response) => response.status(503).set("Retry-After", "1").end());
  const { server, port } = await listen((request, response) => handle(request, response), env.host, env.port);
  server.on("drop", () => metrics.dropped.inc());
  const servers = [server];
  const opsApp = createOpsApp({ logger, metrics, protect, readiness });
  if (env.opsPort > 0) servers.push((await listen(opsApp, env.host, env.opsPort)).server);
  const resources: Resource[] = [];
  const drain = createDrain({ servers, resources, readiness });
  drainOnSignal(drain, logger);
  drainOnCrash(drain, logger);

  const parts = await loadPartsAt(port);
  metrics.build.set({ version: packageJson.version, build: parts.assets.build, node: process.versions.node }, 1);
  const { sites } = parts.countries;
  logger.info(describeConfiguration(env, sites), "configuration");
  warnOfSettings(env, sites, findGaps(sites, parts.texts), logger);
  const tracer = env.tracing && (await openTracer(env.tracing, parts.assets.build, logger));
  // First, as what is opened first is closed last: a collector that is away keeps nothing else from closing.
  if (tracer) resources.push(tracer);
  const shop = await openShop({
    env,
    parts,
    async openStore() {
      const store = await openStore({ ...env, logger, metrics });
      resources.push(store);
      if (env.production && !env.keyEncryptionKey && !env.keyEncryptionKeyFile)
        logger.warn("the key that encrypts the store's keys lies beside them: set KEY_ENCRYPTION_KEY");
      return store;
    },
    openMailTransport: () => createMailTransport(env),
  });
  const promotions = createPromotions({ sites, service: shop.promotion, purge: shop.purge, logger });
  for (const job of [...shop.jobs, promotions]) {
    resources.push(job);
    await job.start();
  }
  const fragments = createFragments({ ...parts, promotions });
  const fallbacks = createFallbacks();
  // A release that can't even render fallbacks doesn't start.
  await fallbacks.prepare(
    fragments.all,
    sites.filter(({ site }) => site === env.defaultSite),
  );
  const overload = createOverload({ logger, metrics });
  const app = createApp({ ...parts, env, fallbacks, fragments, overload, shop, tracer });
  handle = overload.guard(server, app, createAnswerShed({ ...parts, env }));
  if (readiness.state === "starting") readiness.state = "ready";
  logger.info({ host: env.host, port, sites: sites.length, build: parts.assets.build }, "listening");
  if (env.demo || (process.stdout.isTTY && !env.production)) console.log(listAddresses({ env, port, sites, shop }));

  // The others follow between requests, as those of many sites take seconds.
  for (const site of sites) {
    await fallbacks
      .prepare(fragments.all, [site])
      .catch((err) => logger.error({ site: site.site, err }, "the service could not render the site's fallbacks"));
  }
}

/** Opens what sends traces. Its packages are loaded only where somebody collects any. */
async function openTracer(tracing: Tracing, build: string, logger: Logger): Promise<Tracer> {
  const { createOtlpTracer } = await import("./tracing/otlp-tracer.ts");
  return createOtlpTracer(tracing, build, logger);
}
