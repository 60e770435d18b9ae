import { openAccounts } from "./accounts/open-accounts.ts";
import { createApp } from "./app.ts";
import { type CheckedEnv, checkEnv } from "./config/env.ts";
import { createContext, loadShop } from "./context.ts";
import { shedLoad } from "./http/load-shedding.ts";
import { refuseFaults, StartError } from "./platform/errors.ts";
import { createLogger } from "./platform/logger.ts";
import { createMetrics } from "./platform/metrics.ts";
import { listAddresses } from "./process/list-addresses.ts";
import { listenWhileStarting } from "./process/listen.ts";
import { findStartFaults, logConfiguration } from "./process/production-checks.ts";
import { createOverloadResponse } from "./rendering/overload-response.tsx";
import { toStartError } from "./store/open-store.ts";

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
  const base = { env, logger, metrics: createMetrics(), readiness: { state: "starting" as const }, resources: [] };
  const load = async (port: number) => {
    const loaded = await loadShop(env, logger, port);
    refuseFaults(findStartFaults(checked, loaded));
    return loaded.shop;
  };
  // Reports the countries' faults, too, before anything listens at a port that may be wrong.
  if (checked.faults.length > 0) await load(env.port);
  const { server, port, serve } = await listenWhileStarting(base);
  const context = createContext(base, await load(port));
  const { assets, countries, readiness, resources } = context;
  logConfiguration(context);
  if (env.tracing) {
    // Loaded only when configured. First of the resources, as it is closed last: a collector that is down delays no other.
    const { exportTraces } = await import("./process/export-traces.ts");
    resources.push(exportTraces(env.tracing, assets.build, logger));
  }
  const { app, jobs, fragments, ...features } = await createApp(context);
  const accounts = await openAccounts(context);
  for (const job of [...jobs, ...accounts.jobs]) {
    resources.push(job);
    await job.start();
  }
  // A release that can't even render fallbacks doesn't start.
  await fragments.prepareFallbacks(context.siteOf.default);
  const reject = createOverloadResponse(context);
  serve(shedLoad(server, app, { ...base, isCached: fragments.isCached, reject }));
  if (readiness.state === "starting") readiness.state = "ready";
  logger.info({ host: env.host, port, sites: countries.sites.length, build: assets.build }, "listening");
  if (env.demo || (process.stdout.isTTY && !env.production))
    console.log(listAddresses({ env, port, sites: countries.sites, ...accounts, ...features }));
  // The other fallbacks follow between requests, as those of many sites take seconds.
  for (const site of countries.sites)
    await fragments
      .prepareFallbacks(site)
      .catch((err) => logger.error({ site: site.site, err }, "fallback could not be rendered"));
}
