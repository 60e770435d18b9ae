import { createHmac } from "node:crypto";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";

/** Whose account an event is about. */
export type AccountKind = "customer" | "staff";

/**
 * What operators are told of attacks, and of what is done about accounts. The names are OWASP's, and those that it lacks
 * are like them: https://cheatsheetseries.owasp.org/cheatsheets/Logging_Vocabulary_Cheat_Sheet.html
 */
export type SecurityEvent =
  | { event: "authn_login_success"; kind: AccountKind; account: string; network: string }
  | { event: "authn_login_lock"; kind: AccountKind; account: string; reason: "tries"; network: string }
  | { event: "authn_login_lock"; kind: AccountKind; account: string; reason: "command" | "demo" }
  | { event: "authn_login_unlock"; kind: AccountKind; account: string }
  | { event: "authn_password_change"; kind: AccountKind; account: string }
  | { event: "authn_token_reuse"; kind: AccountKind; account: string }
  /** Of everyone, where no account is named. */
  | { event: "authn_token_revoked"; kind: AccountKind; account?: string }
  /** `key` is whose limit it is, such as a network. */
  | { event: "excess_rate_limit_exceeded"; limit: string; key: string };

/** Logs an event as one line, and counts it. */
export type ReportEvent = (event: SecurityEvent) => void;

interface SecurityEventDeps {
  logger: Logger;
  /** Undefined where nobody reads the counter, as in a command. */
  metrics?: Pick<Metrics, "securityEvents">;
  /** The key of the ids that stand for accounts and networks. */
  secret: Buffer;
}

/** How each event is told. */
export const eventLines: Record<SecurityEvent["event"], { level: "info" | "warn"; message: string }> = {
  authn_login_success: { level: "info", message: "somebody signed in" },
  authn_login_lock: { level: "warn", message: "an account takes no password for now" },
  authn_login_unlock: { level: "info", message: "an account takes its password again" },
  authn_password_change: { level: "info", message: "an account got a new password" },
  authn_token_reuse: { level: "warn", message: "a used-up token came again, and its session has ended" },
  authn_token_revoked: { level: "info", message: "sessions were ended" },
  excess_rate_limit_exceeded: { level: "warn", message: "a limit was met" },
};

/**
 * Creates what reports events. Lines about the same account or network have the same id, and nobody learns from it which
 * one that is (test/server/security-events.test.ts).
 */
export function createSecurityEvents({ logger, metrics, secret }: SecurityEventDeps): ReportEvent {
  // The first event is a rise from 0, which Prometheus sees.
  for (const event of Object.keys(eventLines)) metrics?.securityEvents.inc({ event }, 0);
  return (event) => {
    const { level, message } = eventLines[event.event];
    const ids = Object.entries(event).map(([name, value]) => [name, named.has(name) ? idOf(value) : value]);
    logger[level](Object.fromEntries(ids), message);
    metrics?.securityEvents.inc({ event: event.event, ...("limit" in event && { limit: event.limit }) });
  };

  function idOf(value: string): string {
    return createHmac("sha256", secret).update(value).digest("base64url").slice(0, 16);
  }
}

/** The fields that name somebody. */
const named = new Set(["account", "network", "key"]);
