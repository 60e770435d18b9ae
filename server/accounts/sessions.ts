import { createHash, randomUUID } from "node:crypto";
import { type SqlBool, sql } from "kysely";
import { day, hour, type Moment, minute } from "../../client/rules/time.ts";
import type { AccountKind } from "../platform/security-events.ts";
import { deleteInBatches } from "../store/housekeeping.ts";
import type { Database } from "../store/open-store.ts";
import type { CredentialGenerations } from "./credential-generations.ts";

declare module "../store/tables.ts" {
  interface Tables {
    /** The sessions that haven't ended. Their ids are stored as hashes. */
    session: AccountSession;
  }
}

/** A session of a customer or a member of staff. */
export interface AccountSession extends CredentialGenerations {
  id: string;
  accountId: string;
  /** 1 if the customer chose to stay signed in, otherwise 0. */
  stay: number;
  /** When the session ends unless it is renewed. */
  expiresAt: Moment;
  /** When the session ends even with renewals. */
  endsAt: Moment;
}

/**
 * How long a session lasts without a renewal (`idle`), and at most (`absolute`). OWASP gives ranges for `idle`:
 * https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-expiration
 */
export const sessionLimits = { idle: 30 * minute, absolute: 12 * hour };
/** The same limits for customers who stay signed in. */
export const longSessionLimits = { idle: 14 * day, absolute: 90 * day };

/** Hashes the id of a session, so that a reader of the store can't take over the session. Random ids need no salt. */
export function hashSessionId(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}

/**
 * Starts a session.
 * @param stay - whether a customer wants to stay signed in
 */
export async function startSession(db: Database, accountId: string, stay = false): Promise<AccountSession> {
  const row = { accountId, stay: Number(stay), generation: 0, rotatedAt: null, confirmedAt: null };
  const { idle, absolute } = limitsOf(row);
  const at = Date.now();
  const session = { ...row, id: randomUUID(), expiresAt: at + idle, endsAt: at + absolute };
  await db
    .insertInto("session")
    .values({ ...session, id: hashSessionId(session.id) })
    .execute();
  return session;
}

/**
 * Finds a session with the data of its account; undefined when it has ended, the account is locked or of another kind.
 */
export async function findSession(db: Database, kind: AccountKind, id: string) {
  const session = await db
    .selectFrom("session")
    .innerJoin("account", "account.id", "accountId")
    .selectAll("session")
    .select(["loginName", "email", "salutation", "firstName", "lastName", "consents"])
    .where("session.id", "=", hashSessionId(id))
    .where("expiresAt", ">", Date.now())
    .where("kind", "=", kind)
    .where("locked", "=", 0)
    .executeTakeFirst();
  return session && { ...session, id };
}

/**
 * Postpones the end of a session.
 * @returns undefined if the session has ended in the meantime
 */
export async function extendSession(db: Database, session: AccountSession): Promise<AccountSession | undefined> {
  const expiresAt = Math.min(Date.now() + limitsOf(session).idle, session.endsAt);
  const { numUpdatedRows } = await db
    .updateTable("session")
    .set({ expiresAt })
    .where("id", "=", hashSessionId(session.id))
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { ...session, expiresAt } : undefined;
}

/**
 * Lists the sessions of an account that haven't ended, the latest last. Their ids are hashes, with which nobody can
 * sign in.
 */
export async function listSessions(db: Database, accountId: string) {
  const sessions = await db
    .selectFrom("session")
    .selectAll()
    .where("accountId", "=", accountId)
    .where("expiresAt", ">", Date.now())
    .orderBy("endsAt")
    .execute();
  return sessions.map((session) => ({ ...session, startedAt: session.endsAt - limitsOf(session).absolute }));
}

/** Ends sessions by their ids. An undefined id stands for an invalid credential. */
export async function endSessions(db: Database, ids: readonly (string | undefined)[]): Promise<void> {
  const hashes = ids.flatMap((id) => (id === undefined ? [] : [hashSessionId(id)]));
  if (hashes.length > 0) await db.deleteFrom("session").where("id", "in", hashes).execute();
}

/**
 * Ends all sessions of an account, or one of them.
 * @param hash - the id of a listed session
 * @returns whether there was a session
 */
export async function endSessionsOf(db: Database, accountId: string, hash?: string): Promise<boolean> {
  const sessions = db.deleteFrom("session").where("accountId", "=", accountId);
  const { numDeletedRows } = await (hash === undefined ? sessions : sessions.where("id", "=", hash)).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends all sessions of all accounts of a kind. */
export async function endAllSessions(db: Database, kind: AccountKind): Promise<void> {
  await db
    .deleteFrom("session")
    .where("accountId", "in", (query) => query.selectFrom("account").select("id").where("kind", "=", kind))
    .execute();
}

function limitsOf({ stay }: Pick<AccountSession, "stay">) {
  return stay === 1 ? longSessionLimits : sessionLimits;
}

/** Deletes sessions that have expired. */
export async function deleteExpiredSessions(db: Database, at: Moment): Promise<void> {
  await deleteInBatches(db, "session", "id", sql<SqlBool>`${sql.ref("expiresAt")} <= ${at}`);
}
