import { endSessions, extendSession, startSession } from "../../../accounts/sessions.ts";
import { createAuthentication, type SignInContext } from "../../../accounts/sign-in.ts";
import { type Caller, readCookie } from "../../../http/cookies.ts";
import type { Database } from "../../../store/open-store.ts";
import { type LoginService, loginCookieNames, removeLoginCookies } from "../service.ts";
import { createSessionCookies, isLast } from "./session-cookies.ts";
import { findCurrentSession, rotateSession } from "./sessions.ts";

export interface EmbeddedLogin extends LoginService {
  /** Renews the session of a caller. After its end, the cookies remove it from the browser. */
  renewSession(caller: Caller): Promise<{ status: "renewed" | "last" | "ended"; cookies: string[] }>;
}

/**
 * Creates the embedded login service. All its state is in the store, for any number of replicas. Its functions throw what
 * the store throws.
 */
export function createLogin(context: SignInContext, db: Database): EmbeddedLogin {
  const authenticate = createAuthentication("customer", db, context);
  const cookies = createSessionCookies(context.keys);
  return {
    async login({ email, password, stayLoggedIn }, caller) {
      const result = await authenticate(email, password, caller);
      if (result.status !== "authenticated") return result;
      await endPresentedSessions(caller);
      const session = await startSession(db, result.account.id, stayLoggedIn);
      return { status: "success", cookies: [...(await cookies.write(session, caller)), result.deviceCookie] };
    },

    async logout(caller) {
      await endPresentedSessions(caller);
      return removeLoginCookies(caller);
    },

    async removeEnded(caller) {
      if (loginCookieNames.every((name) => readCookie(caller, name) === undefined)) return [];
      return (await findCurrentSession(db, await readCredentials(caller))) ? [] : removeLoginCookies(caller);
    },

    async renewSession(caller) {
      const claims = await readCredentials(caller);
      const session = claims && (await rotateSession(db, claims, context.reportSecurityEvent));
      const extended = session && (await extendSession(db, session));
      if (!extended) return { status: "ended", cookies: removeLoginCookies(caller) };
      return { status: isLast(extended) ? "last" : "renewed", cookies: await cookies.write(extended, caller) };
    },

    async identify(caller) {
      const session = await findCurrentSession(db, await cookies.read(caller, "login"));
      if (!session) return undefined;
      const { email, salutation, firstName, lastName, consents } = session;
      return {
        email,
        ...(salutation && { salutation }),
        ...(firstName && { firstName }),
        ...(lastName && { lastName }),
        consents: JSON.parse(consents),
      };
    },

    async findKnownEmail(caller) {
      const session =
        (await findCurrentSession(db, await cookies.read(caller, "login"))) ??
        (await findCurrentSession(db, await cookies.read(caller, "LongtermToken")));
      return session?.email;
    },
  };

  /** Reads the credential of a browser: the long-term token, else the one that every session has. */
  async function readCredentials(caller: Caller) {
    return (await cookies.read(caller, "LongtermToken")) ?? (await cookies.read(caller, "login"));
  }

  async function endPresentedSessions(caller: Caller): Promise<void> {
    const claims = [await cookies.read(caller, "login"), await cookies.read(caller, "LongtermToken")];
    await endSessions(
      db,
      claims.map((claim) => claim?.session),
    );
  }
}
