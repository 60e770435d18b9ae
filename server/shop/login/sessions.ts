import { day, hour, type Moment, minute, second } from "../../../client/rules/time.ts";
import type { ReportEvent } from "../../security-events.ts";
import { createSessions, hashSessionId, type SessionOf } from "../sign-in/sessions.ts";
import type { Database } from "../store/open-store.ts";

export type LoginSession = SessionOf<"loginSession">;

/** What a credential says: its session, whose that is, and how many earlier credentials were used up. */
export interface Claims {
  session: string;
  account: string;
  generation: number;
}

/**
 * The limits of a session. OWASP gives ranges for `idle`:
 * https://cheatsheetseries.owasp.org/cheatsheets/Session_Management_Cheat_Sheet.html#session-expiration
 */
const limits = { idle: 30 * minute, absolute: 12 * hour };
const limitsToStay = { idle: 14 * day, absolute: 90 * day };

/** Longest life of a credential without a renewal. */
export const maxTokenAge = limitsToStay.idle;

/** How long a used up credential is still good, as other tabs may have sent it at the same time. */
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
 * Uses up the credentials of a long session, so that the next ones follow. Whoever sends them again within the grace
 * gets the same next ones. After that, one of two senders must have stolen them, and the session ends.
 * @returns the session; undefined when it has ended
 */
export async function rotate(
  db: Database,
  claims: Claims,
  at: Moment,
  report: ReportEvent,
): Promise<LoginSession | undefined> {
  await db
    .updateTable("loginSession")
    .set({ generation: claims.generation + 1, rotatedAt: at })
    .where("id", "=", hashSessionId(claims.session))
    .where("stay", "=", 1)
    .where("generation", "=", claims.generation)
    // This keeps more than one generation from being within its grace: test/server/shop/login/sessions.test.ts
    .where(({ eb, or }) => or([eb("rotatedAt", "is", null), eb("rotatedAt", "<=", at - grace)]))
    .execute();
  const session = await findOwn(db, claims, at);
  if (!session || isCurrent(session, claims, at)) return session;
  await loginSessions.end(db, session.id);
  report({ event: "authn_token_reuse", kind: "customer", account: await findLoginName(db, session) });
  return undefined;
}

/** Finds the name by which tries of a password are reported, too. An account that is removed meanwhile has its id alone. */
async function findLoginName(db: Database, { accountId }: LoginSession): Promise<string> {
  const account = await db.selectFrom("account").select("loginName").where("id", "=", accountId).executeTakeFirst();
  return account?.loginName ?? accountId;
}

async function findOwn(db: Database, { session: id, account }: Claims, at: Moment): Promise<LoginSession | undefined> {
  const session = await loginSessions.find(db, id, at);
  return session?.accountId === account ? session : undefined;
}

function isCurrent({ generation, rotatedAt }: LoginSession, claims: Claims, at: Moment): boolean {
  const inGrace = rotatedAt !== null && rotatedAt > at - grace;
  return claims.generation === generation || (claims.generation === generation - 1 && inGrace);
}
