import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { createSecurityEvents, type ReportEvent } from "../security-events.ts";
import { loadServiceKey } from "./store/load-service-key.ts";
import type { Database } from "./store/open-store.ts";

/**
 * Opens the report of security events, in whose lines all replicas and commands name the same account alike.
 * @param metrics - undefined where nobody reads the counter
 */
export async function openSecurityEvents(
  db: Database,
  logger: Logger,
  metrics?: Pick<Metrics, "securityEvents">,
): Promise<ReportEvent> {
  return createSecurityEvents({
    logger,
    secret: await loadServiceKey(db, "security-events"),
    ...(metrics && { metrics }),
  });
}
