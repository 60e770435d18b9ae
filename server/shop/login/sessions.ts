import { day, hour, type Moment, minute, second } from "../../../client/rules/time.ts";
import { createSessions, type SessionOf } from "../sign-in/sessions.ts";
import type { Database } from "../store/open-store.ts";

export type LoginSession = SessionOf<"loginSession">;

/** What a credential says: whose session it is of, and how many such were used up before. */
export interface Claims {
  session: string;
  account: string;
  generation: number;
}

/** Of the time without a renewal OWASP has ranges: https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-expiration */
const limits = { idle: 30 * minute, absolute: 12 * hour };
const limitsToStay = { idle: 14 * day, absolute: 90 * day };

/** Longest life of a credential without a renewal. */
export const maxTokenAge = limitsToStay.idle;

/** How long a used credential is still good: other tabs may have sent it at the same time. */
const grace = 10 * second;

/** The sessions of customers. */
export const loginSessions = createSessions("loginSession", {
  accounts: "account",
  owner: "accountId",
  limitsOf: ({ stay }) => (stay === 1 ? limitsToStay : limits),
});

/** Finds the session of a credential that isn't used up; undefined when it has ended or the account is locked. */
export async function findByClaims(db: Database, claims: Claims, at: Moment): Promise<LoginSession | undefined> {
  const session = await findOwn(db, claims, at);
  return session && isCurrent(session, claims, at) ? session : undefined;
}

/**
 * Uses the credentials of a long session up, to be followed by the next ones. Whoever sends them again within the grace
 * gets the same next ones; after that, one of two has stolen them, and the session ends.
 * @returns the session; undefined when it has ended
 */
export async function rotate(db: Database, claims: Claims, at: Moment): Promise<LoginSession | undefined> {
  await db
    .updateTable("loginSession")
    .set({ generation: claims.generation + 1, rotatedAt: at })
    .where("id", "=", claims.session)
    .where("stay", "=", 1)
    .where("generation", "=", claims.generation)
    // So that no more than one generation is within its grace.
    .where(({ eb, or }) => or([eb("rotatedAt", "is", null), eb("rotatedAt", "<=", at - grace)]))
    .execute();
  const session = await findOwn(db, claims, at);
  if (!session || isCurrent(session, claims, at)) return session;
  await loginSessions.end(db, session.id);
  return undefined;
}

async function findOwn(db: Database, { session: id, account }: Claims, at: Moment): Promise<LoginSession | undefined> {
  const session = await loginSessions.find(db, id, at);
  return session?.accountId === account ? session : undefined;
}

function isCurrent({ generation, rotatedAt }: LoginSession, claims: Claims, at: Moment): boolean {
  const inGrace = rotatedAt !== null && rotatedAt > at - grace;
  return claims.generation === generation || (claims.generation === generation - 1 && inGrace);
}
