import { checkEnv } from "../config/env.ts";
import { createContext } from "../context.ts";
import { openLog } from "../platform/logger.ts";
import { createMetrics } from "../platform/metrics.ts";
import { listAddresses } from "../process/list-addresses.ts";
import { listenWhileStarting } from "../process/listen.ts";
import { logConfiguration } from "../process/production-checks.ts";
import { loadFaultlessShop, openService } from "../service.ts";
import { toStartError } from "../store/open-store.ts";

/**
 * Serves the shop at a port of its own.
 * @param port - the one that browsers use
 * @param isQuiet - whether addresses and warnings are known already
 * @returns the service's own port
 * @throws StartError naming every fault
 */
export async function serveShop(port: number, isQuiet: boolean): Promise<number> {
  const checked = checkEnv(process.env);
  const { env } = checked;
  const level = isQuiet ? "error" : env.logLevel;
  const logger = await openLog({ level, service: env.serviceName }, env.production, "stdout");
  const base = { env, logger, metrics: createMetrics(), readiness: { state: "starting" as const }, resources: [] };
  const shop = await loadFaultlessShop(checked, logger, port);
  const listening = await listenWhileStarting({ ...base, env: { ...env, host: "127.0.0.1", port: 0 } });
  const context = createContext(base, shop);
  const { assets, countries, readiness } = context;
  logConfiguration(context);
  const {
    app,
    fragments: _,
    ...opened
  } = await openService(context).catch((error) => {
    throw toStartError(error);
  });
  listening.serve(app);
  readiness.state = "ready";
  logger.level = env.logLevel;
  if (!isQuiet) {
    const { sites } = countries;
    logger.info({ host: env.host, port, sites: sites.length, build: assets.build }, "listening");
    process.stdout.write(`${listAddresses({ env, port, sites, ...opened }, process.stdout.isTTY)}\n`);
  }
  return listening.port;
}
