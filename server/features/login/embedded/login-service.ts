import type { Moment } from "../../../../client/rules/time.ts";
import { confirms, grace, isCurrent } from "../../../accounts/credential-generations.ts";
import {
  type AccountSession,
  endSessions,
  extendSession,
  findSession,
  hashSessionId,
  startSession,
} from "../../../accounts/sessions.ts";
import { createAuthentication, type SignInContext } from "../../../accounts/sign-in.ts";
import type { Caller } from "../../../http/cookies.ts";
import { clockTolerance } from "../../../platform/time.ts";
import type { Database } from "../../../store/open-store.ts";
import { type OwnSessions, type PasswordLogin, type Renewal, removeLoginCookies } from "../service.ts";
import { answerFromSessions } from "../sessions/session-answers.ts";
import { type Claims, createSessionCookies, renewAfter } from "../sessions/session-cookies.ts";

/**
 * Creates the embedded login service. All its state is in the store, for any number of replicas. Its functions throw
 * what the store throws.
 */
export function createEmbeddedLogin(context: SignInContext, db: Database): PasswordLogin & OwnSessions {
  const authenticate = createAuthentication("customer", db, context);
  const cookies = createSessionCookies(context.keys);
  return {
    async login({ email, password, stayLoggedIn }, caller) {
      const result = await authenticate(email, password, caller);
      if (result.status !== "authenticated") return result;
      await endPresentedSessions(caller);
      const session = await startSession(db, result.account.id, stayLoggedIn);
      return { status: "success", cookies: [...(await writeCookies(session, caller)), result.deviceCookie] };
    },

    async logout(caller) {
      await endPresentedSessions(caller);
      return removeLoginCookies(caller);
    },

    ...answerFromSessions({ renewSession, identify, findAny }),

    async renewLongtermToken(caller) {
      const { cookies } = await renewSession(caller);
      return cookies;
    },
  };

  async function renewSession(caller: Caller): Promise<Renewal> {
    const claims = await cookies.readAny(caller);
    const session = claims && (await rotate(claims));
    const extended = session && (await extendSession(db, session));
    if (!extended) return { status: "ended", cookies: removeLoginCookies(caller) };
    return { status: isLast(extended) ? "last" : "renewed", cookies: await writeCookies(extended, caller) };
  }

  function writeCookies(session: AccountSession, caller: Caller): Promise<string[]> {
    const renewAt = isLast(session) ? session.expiresAt : Date.now() + renewAfter;
    return cookies.write(session, caller, { renewAt, claims: { sub: session.accountId } });
  }

  async function identify(caller: Caller) {
    const session = await findCurrent(await cookies.read(caller, "login"));
    if (!session) return undefined;
    const { email, salutation, firstName, lastName, consents } = session;
    return {
      email,
      ...(salutation && { salutation }),
      ...(firstName && { firstName }),
      ...(lastName && { lastName }),
      consents: JSON.parse(consents),
    };
  }

  /** Finds the session of either credential. */
  async function findAny(caller: Caller) {
    return (
      (await findCurrent(await cookies.read(caller, "login"))) ??
      (await findCurrent(await cookies.read(caller, "LongtermToken")))
    );
  }

  async function endPresentedSessions(caller: Caller): Promise<void> {
    await endSessions(db, await cookies.readIds(caller));
  }

  /** Finds the session of a credential; undefined if it has ended or the credential is used up. */
  async function findCurrent(claims: Claims | undefined) {
    const at = Date.now();
    const session = claims && (await findSession(db, "customer", claims.sid));
    if (!session || !isCurrent(session, claims.gen, at)) return undefined;
    await confirm(session, claims, at);
    return session;
  }

  /** Records when the present credentials of a session were first sent back, which shows that the browser has them. */
  async function confirm(session: AccountSession, claims: Claims, at: Moment): Promise<void> {
    if (!confirms(session, claims.gen)) return;
    await db
      .updateTable("session")
      .set({ confirmedAt: at })
      .where("id", "=", hashSessionId(claims.sid))
      .where("generation", "=", session.generation)
      .where("confirmedAt", "is", null)
      .execute();
  }

  /**
   * Replaces the credentials of a session by the next generation. While the old ones are valid, every caller who sends
   * them gets the same next generation. After that, one of two callers must have stolen them, and the session ends.
   * @returns the session; undefined if it has ended
   */
  async function rotate(claims: Claims) {
    const at = Date.now();
    await db
      .updateTable("session")
      .set({ generation: claims.gen + 1, rotatedAt: at, confirmedAt: null })
      .where("id", "=", hashSessionId(claims.sid))
      .where("generation", "=", claims.gen)
      // If two generations were valid at once, stolen ones couldn't be recognized.
      .where(({ eb, or, and }) => {
        const isOver = (time: "rotatedAt" | "confirmedAt") =>
          or([eb(time, "<=", at - grace), eb(time, ">", at + clockTolerance)]);
        return or([eb("rotatedAt", "is", null), and([isOver("rotatedAt"), isOver("confirmedAt")])]);
      })
      .execute();
    const session = await findSession(db, "customer", claims.sid);
    if (!session) return undefined;
    if (isCurrent(session, claims.gen, at)) {
      await confirm(session, claims, at);
      return session;
    }
    await endSessions(db, [session.id]);
    context.reportSecurityEvent({ event: "authn_token_reuse", kind: "customer", account: session.loginName });
    return undefined;
  }
}

/** Whether a session has reached its absolute end, after which it isn't renewed. */
function isLast({ expiresAt, endsAt }: AccountSession): boolean {
  return expiresAt === endsAt;
}
