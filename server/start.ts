import { setTimeout as pause } from "node:timers/promises";
import { second } from "../client/rules/time.ts";
import { openAccounts } from "./accounts/open-accounts.ts";
import { type App, createApp } from "./app.ts";
import { checkEnv } from "./config/env.ts";
import { createContext, loadFaultlessShop } from "./context.ts";
import type { AppContext } from "./features/feature.ts";
import { shedLoad } from "./http/load-shedding.ts";
import { type Readiness, type Resource, startJobs } from "./platform/lifecycle.ts";
import { openLog } from "./platform/logger.ts";
import { createMetrics } from "./platform/metrics.ts";
import { warnOfConfiguration } from "./process/configuration-warnings.ts";
import { drainAtEnd } from "./process/drain.ts";
import { announceService } from "./process/list-addresses.ts";
import { listenWhileStarting } from "./process/listen.ts";
import { logConfiguration } from "./process/log-configuration.ts";
import { releaseMemory } from "./process/release-memory.ts";
import { createOverloadResponse } from "./rendering/overload-response.tsx";

/**
 * Starts the service in this process, which ends at a signal.
 * @throws StartError naming every fault, or what a render fails with
 */
export async function start(checked = checkEnv(process.env)) {
  const { env } = checked;
  const logger = await openLog({ level: env.logLevel, service: env.serviceName }, env.production, "stdout");
  const readiness: Readiness = { state: "starting" };
  const base = { env, logger, metrics: createMetrics(readiness), readiness, resources: [] };
  // Also reports the countries' faults, before anything listens at a port that may be wrong.
  if (checked.faults.length > 0) await loadFaultlessShop(checked, logger, env.port);
  const { server, servers, port, serve } = await listenWhileStarting(base);
  drainAtEnd({ ...base, servers }, logger);
  const context = createContext(base, await loadFaultlessShop(checked, logger, port));
  logConfiguration(context);
  const { app, classify, fragments, ...opened } = await openService(context);
  const { assets, countries } = context;
  serve(shedLoad(server, app, { ...base, classify, reject: createOverloadResponse(context) }));
  if (readiness.state === "starting") readiness.state = "ready";
  announceService({ env, port, sites: countries.sites, build: assets.build, ...opened }, logger);
  // Work that no answer needs comes after the requests that have waited for the start.
  await pause(second);
  warnOfConfiguration(context);
  await prepareFallbacks(context, fragments);
  await releaseMemory();
}

/**
 * Renders the fallbacks of all sites between requests, because those of many sites take seconds. A fallback that is
 * needed earlier is rendered then. Failures are logged.
 */
async function prepareFallbacks({ countries, logger }: AppContext, fragments: App["fragments"]): Promise<void> {
  for (const site of countries.sites)
    await fragments
      .prepareFallbacks(site)
      .catch((err) => logger.error({ site: site.site, err }, "fallback could not be rendered"));
}

/**
 * Opens the service without its listeners, and starts its jobs.
 * @param context - receives the resources that the service opens
 * @throws StartError if the store can't be opened, or what a render of the footer fails with
 */
export async function openService(context: AppContext) {
  await startExports(context);
  const { app, jobs, fragments, ...features } = await createApp(context);
  const accounts = await openAccounts(context);
  await startJobs([...jobs, ...accounts.jobs], context.resources);
  // A release that can't render even this must not start.
  await fragments.renderer.renderFallback(features.footer.fragment, context.siteOf.default);
  return { app, fragments, ...features, ...accounts };
}

/**
 * Starts what is sent to a collector, which is loaded only if configured. The exports are the first resource and so
 * closed last: they send what the shutdown did, and a collector that is down delays no other resource.
 */
async function startExports({ assets, env, logger, metrics, resources }: AppContext): Promise<void> {
  const exports: Resource[] = [];
  if (env.tracing) {
    const { exportTraces } = await import("./process/export-traces.ts");
    exports.push(exportTraces(env.tracing, assets.build, logger));
  }
  if (env.metricsExport) {
    const { exportMetrics } = await import("./process/export-metrics.ts");
    exports.push(exportMetrics(env.metricsExport, metrics.registry, assets.build, logger));
  }
  resources.push({ close: async () => void (await Promise.all(exports.map((each) => each.close()))) });
}
