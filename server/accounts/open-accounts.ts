import type { Env } from "../config/env.ts";
import type { Job, Readiness } from "../platform/lifecycle.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { ReportEvent } from "../platform/security-events.ts";
import { createAudit, deleteExpiredAuditEvents, recordSecretKeys } from "../store/audit-events.ts";
import { deleteExpiredCounters } from "../store/counters.ts";
import { createHousekeeping } from "../store/housekeeping.ts";
import type { Store } from "../store/open-store.ts";
import { watchStore } from "../store/store-health.ts";
import { lockDemoAccounts, seedDemoAccounts } from "./demo-accounts.ts";
import { deleteExpiredProviderSessions } from "./provider-sessions.ts";
import { deleteExpiredSessions } from "./sessions.ts";

interface AccountContext {
  env: Env;
  keys: SecretKeys;
  logger: Logger;
  metrics: Metrics;
  readiness: Readiness;
  openedStore(): Promise<Store> | undefined;
  reportSecurityEvent: ReportEvent;
}

/**
 * Prepares what every service with a store needs: the demo accounts, or locks on those of an earlier demo, and the jobs
 * that clean up sign-ins and the audit, and watch the store.
 * @returns the jobs, and lines that print the credentials of the demo
 */
export async function openAccounts(context: AccountContext): Promise<{ jobs: Job[]; demoSignIns: string[] }> {
  const store = await context.openedStore();
  if (!store) return { jobs: [], demoSignIns: [] };
  const { db } = store;
  const { env } = context;
  await recordSecretKeys(db, context.keys);
  if (!env.demo) await lockDemoAccounts(db, createAudit(context.keys, null), context.reportSecurityEvent);
  return {
    jobs: [createHousekeeping(cleanUp, db, context), watchStore(db, context)],
    demoSignIns: env.demo ? await seedDemoAccounts(db, env, context.keys) : [],
  };

  async function cleanUp() {
    const at = Date.now();
    await deleteExpiredSessions(db, at);
    await deleteExpiredProviderSessions(db, at);
    await deleteExpiredCounters(db, at);
    await deleteExpiredAuditEvents(db, at);
  }
}
