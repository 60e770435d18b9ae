import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import { hmac, type SecretKeys } from "./secret-keys.ts";

export type AccountKind = "customer" | "staff";

/**
 * Events about attacks and account changes. Names are OWASP's, or modelled on them:
 * https://cheatsheetseries.owasp.org/cheatsheets/Logging_Vocabulary_Cheat_Sheet.html
 */
type SecurityEvent =
  | { event: "authn_login_success"; kind: AccountKind; account: string; network: string }
  /** A provider's answer breaks a rule, which `reason` names. */
  | { event: "authn_login_fail"; kind: AccountKind; reason: string; network: string }
  /** A call of an identity provider to end sessions breaks a rule, which `reason` names. */
  | { event: "authn_logout_fail"; reason: string; network: string }
  | { event: "authn_login_lock"; kind: AccountKind; account: string; reason: "tries"; network: string }
  | { event: "authn_login_lock"; kind: AccountKind; account: string; reason: "command" | "demo" }
  | { event: "authn_login_unlock"; kind: AccountKind; account: string }
  | { event: "authn_password_change"; kind: AccountKind; account: string }
  /** Somebody whom the identity provider has signed in may not do what they signed in for. */
  | { event: "authz_fail"; kind: AccountKind; account: string; network: string }
  | { event: "authn_token_reuse"; kind: AccountKind; account: string }
  /** Without `account`, the sessions of all accounts, unless an identity provider has ended one of its own. */
  | { event: "authn_token_revoked"; kind: AccountKind; account?: string; reason?: "provider" }
  /** `key` is the caller that exceeded the limit, such as a network. */
  | { event: "excess_rate_limit_exceeded"; limit: string; key: string };

/** Logs an event as one line, and counts it. */
export type ReportEvent = (event: SecurityEvent) => void;

/** Level and message of each event's log line. */
const eventLines: Record<SecurityEvent["event"], { level: "info" | "warn"; message: string }> = {
  authn_login_success: { level: "info", message: "sign-in succeeded" },
  authn_login_fail: { level: "warn", message: "answer of the identity provider refused" },
  authn_logout_fail: { level: "warn", message: "logout by an identity provider refused" },
  authn_login_lock: { level: "warn", message: "account locked" },
  authn_login_unlock: { level: "info", message: "account unlocked" },
  authn_password_change: { level: "info", message: "password changed" },
  authz_fail: { level: "warn", message: "access refused" },
  authn_token_reuse: { level: "warn", message: "token reused, session ended" },
  authn_token_revoked: { level: "info", message: "sessions revoked" },
  excess_rate_limit_exceeded: { level: "warn", message: "rate limit exceeded" },
};

/** The fields with personal data. */
const personal = new Set(["account", "network", "key"]);

/**
 * Creates the function that reports security events. Accounts and networks are logged as keyed hashes: the same one has
 * the same id in every line, and the log alone doesn't reveal it.
 * @param metrics - undefined in commands, whose metrics nobody reads
 */
export function createSecurityEvents(keys: SecretKeys, logger: Logger, metrics?: Metrics): ReportEvent {
  // Starting at 0 lets Prometheus see the first event as an increase.
  for (const event of Object.keys(eventLines)) metrics?.securityEvents.inc({ event }, 0);
  // The key is derived at an event, because a service without embedded services reports none and needs no key.
  return (event) => {
    const { level, message } = eventLines[event.event];
    const fields = Object.entries(event).map(([name, value]) => [
      name,
      personal.has(name) ? pseudonymsOf(keys, value)[0] : value,
    ]);
    logger[level](Object.fromEntries(fields), message);
    metrics?.securityEvents.inc({ event: event.event, ...("limit" in event && { limit: event.limit }) });
  };
}

/**
 * Returns the ids that stand for an account or a network: first the one that events get now, then those of earlier
 * secrets.
 */
export function pseudonymsOf(keys: SecretKeys, value: string): string[] {
  return keys.verifying("security-events").map((key) => hmac(key, value).slice(0, 16));
}
