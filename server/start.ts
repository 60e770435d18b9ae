import packageJson from "../package.json" with { type: "json" };
import { type CheckedEnv, checkEnv } from "./config/env.ts";
import { createContext } from "./context.ts";
import { shedLoad } from "./http/load-shedding.ts";
import { StartError } from "./platform/errors.ts";
import { openLog } from "./platform/logger.ts";
import { createMetrics } from "./platform/metrics.ts";
import { drainAtEnd } from "./process/drain.ts";
import { listAddresses } from "./process/list-addresses.ts";
import { listenWhileStarting } from "./process/listen.ts";
import { logConfiguration } from "./process/production-checks.ts";
import { createOverloadResponse } from "./rendering/overload-response.tsx";
import { loadFaultlessShop, openService } from "./service.ts";
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
  const logger = await openLog({ level: env.logLevel, service: env.serviceName }, env.production, "stdout");
  const base = { env, logger, metrics: createMetrics(), readiness: { state: "starting" as const }, resources: [] };
  // Reports the countries' faults, too, before anything listens at a port that may be wrong.
  if (checked.faults.length > 0) await loadFaultlessShop(checked, logger, env.port);
  const { server, servers, port, serve } = await listenWhileStarting(base);
  drainAtEnd({ ...base, servers }, logger);
  const context = createContext(base, await loadFaultlessShop(checked, logger, port));
  logConfiguration(context);
  const { app, fragments, ...opened } = await openService(context);
  const { assets, countries, readiness } = context;
  const reject = createOverloadResponse(context);
  serve(shedLoad(server, app, { ...base, isCached: fragments.isCached, reject }));
  if (readiness.state === "starting") readiness.state = "ready";
  const { version } = packageJson;
  logger.info({ host: env.host, port, sites: countries.sites.length, version, build: assets.build }, "listening");
  // The other fallbacks follow between requests, as those of many sites take seconds.
  for (const site of countries.sites)
    await fragments
      .prepareFallbacks(site)
      .catch((err) => logger.error({ site: site.site, err }, "fallback could not be rendered"));
  // Last, where people look for the address to open.
  const onTerminal = process.stdout.isTTY && !env.production;
  if (env.demo || onTerminal) console.log(listAddresses({ env, port, sites: countries.sites, ...opened }, onTerminal));
}
