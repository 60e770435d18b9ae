import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { checkEnv } from "../../config/env.ts";
import { createContext, loadFaultlessShop } from "../../context.ts";
import { listAllowedHosts } from "../../http/allowed-hosts.ts";
import { StartError } from "../../platform/errors.ts";
import type { Readiness, Resource } from "../../platform/lifecycle.ts";
import { openLog } from "../../platform/logger.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { warnOfConfiguration } from "../../process/configuration-warnings.ts";
import { closeAll } from "../../process/drain.ts";
import { announceService } from "../../process/list-addresses.ts";
import { listenWhileStarting } from "../../process/listen.ts";
import { logConfiguration } from "../../process/log-configuration.ts";
import { openService } from "../../start.ts";
import { toStartError } from "../../store/open-store.ts";
import type { Answering } from "./front.ts";

/**
 * Serves the shop at a port of its own, and loads it again at each message from the parent. After each load, sends the
 * parent that port or the faults.
 * @param port - the one that browsers use
 * @param quiet - whether addresses and warnings have already been shown
 * @throws StartError if the system refuses a port
 */
export async function serveShop(port: number, quiet: boolean): Promise<void> {
  const { env } = checkEnv(process.env);
  const logger = await openLog({ level: env.logLevel, service: env.serviceName }, env.production, "stdout");
  const readiness: Readiness = { state: "starting" };
  const base = { logger, metrics: createMetrics(readiness), readiness };
  const listening = await listenWhileStarting({ ...base, env: { ...env, host: "127.0.0.1", port: 0 } });
  let resources: Resource[] = [];
  let loads = 0;
  let isAnnounced = quiet;
  let countriesFolder: string | undefined;
  // Node loads a module once, so each load gives the countries' files other addresses.
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      return countriesFolder && resolved.url.startsWith(countriesFolder)
        ? { ...resolved, url: `${resolved.url}?${loads}` }
        : resolved;
    },
  });
  process.on("message", () => void report());
  await report();

  async function report() {
    const answering: Answering = await load().catch((error) => ({ faults: faultsOf(error) }));
    process.send?.(answering);
  }

  /** Loads the shop, and opens the service in place of the previous one. */
  async function load(): Promise<Answering> {
    const checked = checkEnv(process.env);
    const { env } = checked;
    loads += 1;
    countriesFolder = `${pathToFileURL(env.shopFolder.countries).href}/`;
    // Later loads don't repeat the warnings of the first.
    logger.level = isAnnounced ? "error" : env.logLevel;
    const shop = await loadFaultlessShop(checked, logger, port);
    await closeAll(resources);
    resources = [];
    const context = createContext({ ...base, env, resources }, shop);
    const {
      assets,
      countries: { sites },
    } = context;
    logConfiguration(context);
    warnOfConfiguration(context);
    const { app, fragments: _, ...opened } = await openService(context);
    listening.serve(app);
    readiness.state = "ready";
    logger.level = env.logLevel;
    if (!isAnnounced) announceService({ env, port, sites, build: assets.build, ...opened }, logger);
    isAnnounced = true;
    return { port: listening.port, hosts: listAllowedHosts(env, sites) };
  }
}

/** Returns the faults of a start, or an error with its stack. */
function faultsOf(error: unknown): string[] {
  const reason = toStartError(error);
  return reason instanceof StartError ? reason.faults : [inspect(reason)];
}
