import { randomUUID } from "node:crypto";
import type { Database } from "../store/open-store.ts";
import type { Claims } from "./tokens.ts";

/** A session that goes on. Times in milliseconds since 1970 UTC. */
export interface Session {
  id: string;
  accountId: string;
  stay: boolean;
  generation: number;
  rotatedAt: number | null;
  expiresAt: number;
  endsAt: number;
}

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** How long a session goes on without a renewal, and at most. Of the former OWASP has ranges: https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-expiration */
const limits = { idle: 30 * minute, absolute: 12 * 60 * minute };
const limitsToStay = { idle: 14 * day, absolute: 90 * day };

/** Longest life of a credential without a renewal. */
export const maxTokenAge = limitsToStay.idle;

/** How long a used credential is still good: other tabs may have sent it at the same time. In milliseconds. */
const grace = 10 * second;

export async function startSession(
  db: Database,
  { accountId, stay, at }: { accountId: string; stay: boolean; at: number },
): Promise<Session> {
  const { idle, absolute } = stay ? limitsToStay : limits;
  const session = {
    ...{ id: randomUUID(), accountId, generation: 0, rotatedAt: null },
    ...{ expiresAt: at + idle, endsAt: at + absolute },
  };
  await db
    .insertInto("loginSession")
    .values({ ...session, stay: Number(stay) })
    .execute();
  return { ...session, stay };
}

/** Finds the session of a credential that isn't used up; undefined when it has ended or the account is locked. */
export async function findSession(db: Database, claims: Claims, at: number): Promise<Session | undefined> {
  const session = await findById(db, claims, at);
  return session && isCurrent(session, claims, at) ? session : undefined;
}

/**
 * Uses the credentials of a long session up, to be followed by the next ones. Whoever sends them again within the grace
 * gets the same next ones; after that, one of two has stolen them, and the session ends.
 * @returns the session; undefined when it has ended
 */
export async function rotate(db: Database, claims: Claims, at: number): Promise<Session | undefined> {
  await db
    .updateTable("loginSession")
    .set({ generation: claims.generation + 1, rotatedAt: at })
    .where("id", "=", claims.session)
    .where("stay", "=", 1)
    .where("generation", "=", claims.generation)
    // So that no more than one generation is within its grace.
    .where(({ eb, or }) => or([eb("rotatedAt", "is", null), eb("rotatedAt", "<=", at - grace)]))
    .execute();
  const session = await findById(db, claims, at);
  if (!session || isCurrent(session, claims, at)) return session;
  await endSession(db, session.id);
  return undefined;
}

async function findById(db: Database, claims: Claims, at: number): Promise<Session | undefined> {
  const session = await db
    .selectFrom("loginSession")
    .innerJoin("account", "account.id", "loginSession.accountId")
    .selectAll("loginSession")
    .where("loginSession.id", "=", claims.session)
    .where("loginSession.accountId", "=", claims.account)
    .where("loginSession.expiresAt", ">", at)
    .where("account.locked", "=", 0)
    .executeTakeFirst();
  return session && { ...session, stay: session.stay === 1 };
}

function isCurrent({ generation, rotatedAt }: Session, claims: Claims, at: number): boolean {
  const inGrace = rotatedAt !== null && rotatedAt > at - grace;
  return claims.generation === generation || (claims.generation === generation - 1 && inGrace);
}

/** @returns the session with its new end; undefined when it was ended meanwhile, which nothing undoes */
export async function extend(db: Database, session: Session, at: number): Promise<Session | undefined> {
  const { idle } = session.stay ? limitsToStay : limits;
  const expiresAt = Math.min(at + idle, session.endsAt);
  // Of many tabs that renew at once, one has written it.
  if (expiresAt - session.expiresAt < second) return session;
  const { numUpdatedRows } = await db
    .updateTable("loginSession")
    .set({ expiresAt })
    .where("id", "=", session.id)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { ...session, expiresAt } : undefined;
}

export async function endSession(db: Database, id: string): Promise<void> {
  await db.deleteFrom("loginSession").where("id", "=", id).execute();
}

/** Signs a customer out everywhere. */
export async function endSessionsOf(db: Database, accountId: string): Promise<void> {
  await db.deleteFrom("loginSession").where("accountId", "=", accountId).execute();
}
