import { createHash, randomUUID } from "node:crypto";
import { type SqlBool, sql } from "kysely";
import { normalizeEmail } from "../../client/rules/email.ts";
import type { Moment } from "../../client/rules/time.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import { type AccountKind, pseudonymsOf } from "../platform/security-events.ts";
import { addMonths } from "../platform/time.ts";
import { deleteInBatches } from "./housekeeping.ts";
import { type Database, inTransaction, type StoreTransaction } from "./open-store.ts";

declare module "./tables.ts" {
  interface Tables {
    auditEvent: AuditEventTable;
  }
}

/** An event of the audit. It names people only by keyed hashes. */
interface AuditEventTable {
  /** In the order of the events that a process records in the same millisecond. */
  id: string;
  at: Moment;
  event: string;
  /** Who ran the command; null for an event of the service. */
  operator: string | null;
  kind: AccountKind | null;
  /** The same keyed hash of the address as in the log's security events. */
  account: string | null;
  site: string | null;
  /** What the event is about, such as the id of a promotion. */
  subject: string | null;
  /** How much was changed: a JSON object of numbers. */
  counts: string | null;
}

/** An event to record. The names are OWASP's, or modelled on them, as those of the log's security events. */
export interface AuditEvent {
  event:
    | "authn_login_success"
    | "authn_login_lock"
    | "authn_login_unlock"
    | "authn_password_change"
    | "authn_token_revoked"
    | "authz_fail"
    | "user_created"
    | "user_updated"
    | "user_deleted"
    | "accounts_exported"
    | "data_erased"
    | "data_imported"
    | "mailbox_suppressed"
    | "mailbox_unsuppressed"
    | "promotion_added"
    | "promotion_changed"
    | "promotion_ended"
    | "promotion_removed";
  kind?: AccountKind;
  /** The address of an account or a mailbox. Only its keyed hash is stored. */
  account?: string;
  site?: string;
  subject?: string;
  counts?: Record<string, number>;
}

export type Audit = ReturnType<typeof createAudit>;

/** How long events are kept. */
const retentionMonths = 12;

/**
 * Creates the audit, which records who did what.
 * @param operator - who runs the command; null in the service
 */
export function createAudit(keys: SecretKeys, operator: string | null) {
  return {
    record,

    /**
     * Makes a change and records it, both or neither.
     * @throws UnavailableError if the database can't be written, or the change fails
     */
    change: <Result>(db: Database, event: AuditEvent, make: (transaction: StoreTransaction) => Promise<Result>) =>
      inTransaction(db, async (transaction) => {
        const result = await make(transaction);
        await record(transaction, event);
        return result;
      }),

    /**
     * Creates the function that records how far work of several transactions has come. Its first call records the
     * event, and further ones replace the counts.
     */
    progress(db: Database, event: AuditEvent) {
      const id = newId();
      return (counts: Record<string, number>) => record(db, { ...event, counts }, id);
    },
  };

  async function record(db: Database, { event, account, ...details }: AuditEvent, id: string = newId()) {
    const { kind = null, site = null, subject = null, counts } = details;
    const [hash = null] = account === undefined ? [] : accountIds(keys, account);
    const row = {
      id,
      at: Date.now(),
      event,
      operator,
      kind,
      account: hash,
      site,
      subject,
      counts: counts ? JSON.stringify(counts) : null,
    };
    await db
      .insertInto("auditEvent")
      .values(row)
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ counts: row.counts }))
      .execute();
  }
}

function newId(): string {
  return `${performance.now().toFixed(6).padStart(24, "0")}-${randomUUID()}`;
}

/** Returns the ids by which events name an address: the one of new events first, then those of earlier secrets. */
export function accountIds(keys: SecretKeys, address: string): string[] {
  return pseudonymsOf(keys, normalizeEmail(address).toLowerCase());
}

/** The event of a start with other secrets than the last one. */
const keysChanged = "secret_keys_changed";

/**
 * Records that the service starts with other secrets than last time. Replicas that start at once record it once.
 * @throws Error of the database
 */
export async function recordSecretKeys(db: Database, keys: SecretKeys): Promise<void> {
  const hash = (content: string | Buffer) => createHash("sha256").update(content).digest("base64url");
  const subject = keys
    .verifying("audit-fingerprint")
    .map((key) => hash(key).slice(0, 8))
    .join(" ");
  const last = await db
    .selectFrom("auditEvent")
    .select(["id", "subject"])
    .where("event", "=", keysChanged)
    .orderBy("at", "desc")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (last?.subject === subject) return;
  const none = { operator: null, kind: null, account: null, site: null, counts: null };
  await db
    .insertInto("auditEvent")
    .values({ id: hash(`${last?.id} ${subject}`), at: Date.now(), event: keysChanged, subject, ...none })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes events after a year, except the one that tells which secrets are in use. */
export function deleteExpiredAuditEvents(db: Database, at: Moment): Promise<void> {
  const lastChange = sql`(select max(at) from audit_event where event = ${keysChanged})`;
  const isInUse = sql`(event = ${keysChanged} and at = ${lastChange})`;
  const isExpired = sql<SqlBool>`at <= ${addMonths(at, -retentionMonths)} and not ${isInUse}`;
  return deleteInBatches(db, "auditEvent", "id", isExpired);
}
