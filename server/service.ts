import { openAccounts } from "./accounts/open-accounts.ts";
import { createApp } from "./app.ts";
import type { CheckedEnv } from "./config/env.ts";
import { loadShop } from "./context.ts";
import type { AppContext } from "./features/feature.ts";
import { refuseFaults } from "./platform/errors.ts";
import type { Logger } from "./platform/logger.ts";
import { findStartFaults } from "./process/production-checks.ts";

/**
 * Loads the shop that a start is to show.
 * @param port - at which visitors reach the service
 * @throws StartError naming every fault of environment, shop, and their combination
 */
export async function loadFaultlessShop(checked: CheckedEnv, logger: Logger, port: number) {
  const loaded = await loadShop(checked.env, logger, port);
  refuseFaults(findStartFaults(checked, loaded));
  return loaded.shop;
}

/**
 * Opens the service without its listeners, and starts its jobs.
 * @param context - its resources grow by what the service has opened
 * @throws StartError when the store can't be opened, or what a render fails with
 */
export async function openService(context: AppContext) {
  const { assets, env, logger, resources } = context;
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
  return { app, fragments, ...features, ...accounts };
}
