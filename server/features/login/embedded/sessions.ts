import { type Moment, second } from "../../../../client/rules/time.ts";
import { endSessions, findSession, hashSessionId, type Session } from "../../../accounts/sessions.ts";
import type { ReportEvent } from "../../../platform/security-events.ts";
import type { Database } from "../../../store/open-store.ts";
import type { Claims } from "./session-cookies.ts";

/** How long used-up credentials remain valid: other tabs may have sent them at the same time. */
const grace = 10 * second;

/** Finds the session of a credential; undefined when it has ended or the credential is used up. */
export async function findCurrentSession(db: Database, claims: Claims | undefined) {
  const session = claims && (await findSessionOf(db, claims));
  return session && isCurrent(session, claims, Date.now()) ? session : undefined;
}

/**
 * Replaces the credentials of a long session by the next generation. Callers that send the old ones within the grace
 * period get the same next generation. After it, one of two callers must have stolen them, and the session ends.
 * @returns the session; undefined when it has ended
 */
export async function rotateSession(db: Database, claims: Claims, report: ReportEvent): Promise<Session | undefined> {
  const at = Date.now();
  await db
    .updateTable("session")
    .set({ generation: claims.generation + 1, rotatedAt: at })
    .where("id", "=", hashSessionId(claims.session))
    .where("stay", "=", 1)
    .where("generation", "=", claims.generation)
    // Two generations within their grace period could not be told from stolen ones.
    .where(({ eb, or }) => or([eb("rotatedAt", "is", null), eb("rotatedAt", "<=", at - grace)]))
    .execute();
  const session = await findSessionOf(db, claims);
  if (!session || isCurrent(session, claims, at)) return session;
  await endSessions(db, [session.id]);
  report({ event: "authn_token_reuse", kind: "customer", account: session.loginName });
  return undefined;
}

async function findSessionOf(db: Database, { session: id, account }: Claims) {
  const session = await findSession(db, "customer", id);
  return session?.accountId === account ? session : undefined;
}

function isCurrent({ generation, rotatedAt }: Session, claims: Claims, at: Moment): boolean {
  const inGrace = rotatedAt !== null && rotatedAt > at - grace;
  return claims.generation === generation || (claims.generation === generation - 1 && inGrace);
}
