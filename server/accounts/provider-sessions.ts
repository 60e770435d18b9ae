import { randomUUID } from "node:crypto";
import { type SqlBool, sql } from "kysely";
import { type Milliseconds, type Moment, second } from "../../client/rules/time.ts";
import { clockTolerance } from "../platform/time.ts";
import { deleteInBatches } from "../store/housekeeping.ts";
import type { Database } from "../store/open-store.ts";
import { loginNameOf } from "./accounts.ts";
import type { CredentialGenerations } from "./credential-generations.ts";
import { hashSessionId, longSessionLimits, sessionLimits } from "./sessions.ts";

declare module "../store/tables.ts" {
  interface Tables {
    /** The sessions of customers who have signed in at an OpenID provider. Their ids are stored as hashes. */
    providerSession: ProviderSession;
  }
}

/** A person whom a provider has signed in, with the provider's client and session. */
interface ProviderIdentity {
  issuer: string;
  clientId: string;
  sub: string;
  /** The provider's id of its session; null if it names none. */
  sid: string | null;
}

/** What a session keeps of what the provider says. */
export interface ProviderSessionData {
  /** The verified address, normalized; null if there is none. */
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  /** The provider's tokens, encrypted. */
  tokens: string;
}

export interface ProviderSession extends CredentialGenerations, ProviderIdentity, ProviderSessionData {
  id: string;
  /** 1 if the provider has given a refresh token, so that the session can be renewed; otherwise 0. */
  stay: number;
  /** Until when one replica alone may use the refresh token; null if none does. */
  leasedUntil: Moment | null;
  /** When the session ends unless it is renewed. */
  expiresAt: Moment;
  /** When the session ends even with renewals. */
  endsAt: Moment;
}

/**
 * How long a renewal may take: the calls for discovery, tokens and keys have 5 s each, and wait for a second at most.
 */
export const leaseTime: Milliseconds = 20 * second;

/**
 * Starts a session. Without a refresh token it can't be renewed, because the provider couldn't be asked whether it
 * still has the session. So it lasts as long as any session that nobody renews.
 */
export async function startProviderSession(
  db: Database,
  data: ProviderIdentity & ProviderSessionData & { stay: boolean },
): Promise<ProviderSession> {
  const at = Date.now();
  const stay = Number(data.stay);
  const { idle, absolute } = limitsOf({ stay });
  const fresh = { generation: 0, rotatedAt: null, confirmedAt: null, leasedUntil: null };
  const ends = { expiresAt: at + idle, endsAt: at + absolute };
  const session = { ...data, ...fresh, ...ends, stay, id: randomUUID() };
  await db
    .insertInto("providerSession")
    .values({ ...session, id: hashSessionId(session.id) })
    .execute();
  return session;
}

/** Finds a session; undefined when it has ended. */
export async function findProviderSession(db: Database, id: string): Promise<ProviderSession | undefined> {
  const session = await db
    .selectFrom("providerSession")
    .selectAll()
    .where("id", "=", hashSessionId(id))
    .where("expiresAt", ">", Date.now())
    .executeTakeFirst();
  return session && { ...session, id };
}

/** Records when the present credentials of a session were first sent back. */
export async function confirmProviderSession(db: Database, { id, generation }: ProviderSession): Promise<void> {
  await db
    .updateTable("providerSession")
    .set({ confirmedAt: Date.now() })
    .where("id", "=", hashSessionId(id))
    .where("generation", "=", generation)
    .where("confirmedAt", "is", null)
    .execute();
}

/**
 * Takes the right to use a session's refresh token, for `leaseTime`. A provider that rotates them ends a session whose
 * token is used twice.
 * @returns until when; undefined if another call has it, or has just used it
 */
export async function leaseRefreshToken(
  db: Database,
  { id, generation }: ProviderSession,
): Promise<Moment | undefined> {
  const at = Date.now();
  const leasedUntil = at + leaseTime;
  const { numUpdatedRows } = await db
    .updateTable("providerSession")
    .set({ leasedUntil })
    .where("id", "=", hashSessionId(id))
    .where("generation", "=", generation)
    .where(({ eb, or }) =>
      or([
        eb("leasedUntil", "is", null),
        eb("leasedUntil", "<=", at),
        // A clock that was ahead must not extend a lease.
        eb("leasedUntil", ">", leasedUntil + clockTolerance),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n ? leasedUntil : undefined;
}

/** Gives a lease back after a renewal that has failed. */
export async function releaseRefreshToken(db: Database, { id }: ProviderSession, leasedUntil: Moment): Promise<void> {
  await db
    .updateTable("providerSession")
    .set({ leasedUntil: null })
    .where("id", "=", hashSessionId(id))
    .where("leasedUntil", "=", leasedUntil)
    .execute();
}

/**
 * Stores the result of a renewal: new tokens, the next generation of credentials, and a later end.
 * @returns undefined if the session has ended in the meantime
 */
export async function renewProviderSession(
  db: Database,
  session: ProviderSession,
  tokens: string,
): Promise<ProviderSession | undefined> {
  const at = Date.now();
  const expiresAt = Math.min(at + limitsOf(session).idle, session.endsAt);
  const generation = session.generation + 1;
  const renewed = { tokens, generation, rotatedAt: at, confirmedAt: null, leasedUntil: null, expiresAt };
  const { numUpdatedRows } = await db
    .updateTable("providerSession")
    .set(renewed)
    .where("id", "=", hashSessionId(session.id))
    .where("generation", "=", session.generation)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { ...session, ...renewed } : undefined;
}

/**
 * Ends sessions by their ids.
 * @returns the tokens of the ended sessions
 */
export async function endProviderSessions(
  db: Database,
  ids: readonly string[],
): Promise<Pick<ProviderSessionData, "tokens">[]> {
  if (ids.length === 0) return [];
  return db.deleteFrom("providerSession").where("id", "in", ids.map(hashSessionId)).returning("tokens").execute();
}

/**
 * Ends all sessions of an address, in any capitalization.
 * @returns how many there were
 */
export async function endProviderSessionsOf(db: Database, email: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("providerSession")
    .where(sql<string>`lower(email)`, "=", loginNameOf(email))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Ends the sessions of a client that a provider has ended: the one with the provider's id, or all of a person. If both
 * are given, the person's sessions without such an id end, too.
 * @returns how many there were
 */
export async function endSessionsAtProvider(
  db: Database,
  { issuer, clientId }: Pick<ProviderIdentity, "issuer" | "clientId">,
  { sid, sub }: { sid?: string | undefined; sub?: string | undefined },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("providerSession")
    .where("issuer", "=", issuer)
    .where("clientId", "=", clientId)
    .where(({ eb, and, or }) =>
      or([
        ...(sid === undefined ? [] : [eb("sid", "=", sid)]),
        ...(sub === undefined
          ? []
          : [and([eb("sub", "=", sub), ...(sid === undefined ? [] : [eb("sid", "is", null)])])]),
      ]),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes sessions that have expired. */
export async function deleteExpiredProviderSessions(db: Database, at: Moment): Promise<void> {
  await deleteInBatches(db, "providerSession", "id", sql<SqlBool>`${sql.ref("expiresAt")} <= ${at}`);
}

function limitsOf({ stay }: Pick<ProviderSession, "stay">) {
  return stay === 1 ? longSessionLimits : sessionLimits;
}
