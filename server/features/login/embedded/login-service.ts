import { type Moment, minute, second } from "../../../../client/rules/time.ts";
import {
  type AccountSession,
  endSessions,
  extendSession,
  findSession,
  hashSessionId,
  startSession,
} from "../../../accounts/sessions.ts";
import { createAuthentication, type SignInContext } from "../../../accounts/sign-in.ts";
import { createSignedTokens, toSeconds } from "../../../accounts/signed-tokens.ts";
import { type Caller, readCookie } from "../../../http/cookies.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import { clockTolerance } from "../../../platform/time.ts";
import type { Database } from "../../../store/open-store.ts";
import { type LoginService, removeLoginCookies, writeLoginCookies } from "../service.ts";

/**
 * How long used credentials remain valid after their successors were first sent back: other tabs may have sent them at
 * the same time. Before that they are valid, too, because the answer with the successors may have been lost.
 */
const grace = 10 * second;
/** The age at which a session's cookies are renewed. */
const renewAfter = 10 * minute;

export interface EmbeddedLogin extends LoginService {
  /** Renews the session of a caller. If the session has ended, the cookies remove it from the browser. */
  renewSession(caller: Caller): Promise<{ status: "renewed" | "last" | "ended"; cookies: string[] }>;
}

/**
 * Creates the embedded login service. All its state is in the store, for any number of replicas. Its functions throw
 * what the store throws.
 */
export function createEmbeddedLogin(context: SignInContext, db: Database): EmbeddedLogin {
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

    async resumeSession(caller) {
      const { status, cookies } = await renewSession(caller);
      return status === "ended" ? undefined : cookies;
    },

    renewSession,

    async findSession(caller) {
      const customer = await identify(caller);
      return customer && { customer };
    },

    identify,

    async findKnownEmail(caller) {
      const session =
        (await findCurrent(await cookies.read(caller, "login"))) ??
        (await findCurrent(await cookies.read(caller, "LongtermToken")));
      return session?.email;
    },
  };

  async function renewSession(caller: Caller): ReturnType<EmbeddedLogin["renewSession"]> {
    const claims = await readCredentials(caller);
    const session = claims && (await rotate(claims));
    const extended = session && (await extendSession(db, session));
    if (!extended) return { status: "ended", cookies: removeLoginCookies(caller) };
    return { status: isLast(extended) ? "last" : "renewed", cookies: await cookies.write(extended, caller) };
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

  /** Reads a browser's credential: the long-term token, or else the one that every session has. */
  async function readCredentials(caller: Caller) {
    return (await cookies.read(caller, "LongtermToken")) ?? (await cookies.read(caller, "login"));
  }

  async function endPresentedSessions(caller: Caller): Promise<void> {
    const claims = [await cookies.read(caller, "login"), await cookies.read(caller, "LongtermToken")];
    await endSessions(
      db,
      claims.map((claim) => claim?.sid),
    );
  }

  /** Finds the session of a credential; undefined if it has ended or the credential is used up. */
  async function findCurrent(claims: Claims | undefined) {
    const at = Date.now();
    const session = claims && (await findSession(db, "customer", claims.sid));
    if (!session || !isCurrent(session, claims, at)) return undefined;
    await confirm(session, claims, at);
    return session;
  }

  /** Records when the present credentials of a session were first sent back, which shows that the browser has them. */
  async function confirm(
    { generation, rotatedAt, confirmedAt }: AccountSession,
    claims: Claims,
    at: Moment,
  ): Promise<void> {
    if (claims.gen !== generation || rotatedAt === null || confirmedAt !== null) return;
    await db
      .updateTable("session")
      .set({ confirmedAt: at })
      .where("id", "=", hashSessionId(claims.sid))
      .where("generation", "=", generation)
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
    if (isCurrent(session, claims, at)) {
      await confirm(session, claims, at);
      return session;
    }
    await endSessions(db, [session.id]);
    context.reportSecurityEvent({ event: "authn_token_reuse", kind: "customer", account: session.loginName });
    return undefined;
  }
}

function isCurrent({ generation, rotatedAt, confirmedAt }: AccountSession, claims: Claims, at: Moment): boolean {
  // A clock that was ahead must not extend the grace period.
  const inGrace = (time: Moment | null) => time !== null && time > at - grace && time <= at + clockTolerance;
  const isPreviousValid = confirmedAt === null || inGrace(confirmedAt) || inGrace(rotatedAt);
  return claims.gen === generation || (claims.gen === generation - 1 && isPreviousValid);
}

/** Whether a session has reached its absolute end, after which it isn't renewed. */
function isLast({ expiresAt, endsAt }: AccountSession): boolean {
  return expiresAt === endsAt;
}

const types = { login: "login+jwt", LongtermToken: "longterm+jwt" };
const clockType = "login-clock+jwt";

/** The claims of a credential. */
interface Claims {
  /** Id of the session. */
  sid: string;
  /** The number of earlier credentials of the session that were used up. */
  gen: number;
}

/** Reads and writes the cookies of customers' sessions: two credentials, and the clock, which scripts can read. */
function createSessionCookies(keys: SecretKeys) {
  const tokens = createSignedTokens(keys, "storefront");
  return {
    /** Reads a credential; undefined for one that is invalid or has expired. */
    read: (caller: Caller, name: keyof typeof types) => tokens.read<Claims>(types[name], readCookie(caller, name)),

    /** Signs new cookies for a session. Returns values of Set-Cookie headers. */
    async write(session: AccountSession, caller: Caller): Promise<string[]> {
      const { id, stay, expiresAt } = session;
      const now = Date.now();
      const clock = {
        exp: toSeconds(expiresAt),
        ren: toSeconds(isLast(session) ? expiresAt : now + renewAfter),
        // Marks the session as a long one.
        ...(stay === 1 && { lid: id }),
      };
      const values = {
        LoginToken: await tokens.sign(clockType, clock),
        login: await sign("login", session),
        LongtermToken: stay ? await sign("LongtermToken", session) : null,
      };
      return writeLoginCookies(values, caller, stay ? Math.ceil((expiresAt - now) / second) : undefined);
    },
  };

  function sign(name: keyof typeof types, { id, accountId, generation, expiresAt }: AccountSession): Promise<string> {
    return tokens.issue(types[name], { sub: accountId, sid: id, gen: generation }, expiresAt);
  }
}
