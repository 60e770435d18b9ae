import { type Moment, minute, second } from "../../../../client/rules/time.ts";
import { endSessions, extendSession, type Session, startSession } from "../../../accounts/sessions.ts";
import { createAuthentication, loginOrUnavailable } from "../../../accounts/sign-in.ts";
import { writeDeviceCookie } from "../../../accounts/trusted-devices.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import type { ReportEvent } from "../../../platform/security-events.ts";
import type { Database } from "../../../store/open-store.ts";
import type { Customer } from "../../customer/service.ts";
import { removeLoginCookies, writeLoginCookies } from "../login-cookies.ts";
import type { Credentials, LoginCaller, LoginService } from "../service.ts";
import { findCurrentSession, rotateSession } from "./sessions.ts";
import { type Claims, createTokens } from "./tokens.ts";

/** The embedded login service, which has the sessions, too. Its functions throw what the store throws. */
export interface EmbeddedLogin extends LoginService {
  /** Renews the session of a caller unless it has ended. */
  renewSession(caller: LoginCaller): Promise<SessionRenewal>;
  /** Finds the signed-in customer. */
  identify(credentials: Credentials): Promise<Customer | undefined>;
  /** Finds the address of the customer whose session a browser has, by either of its credentials. */
  findKnownEmail(credentials: Credentials): Promise<string | undefined>;
}

/**
 * The result of a renewal. `cookies` are values of Set-Cookie headers; after the end they remove the session from the
 * browser.
 */
interface SessionRenewal {
  status: "renewed" | "last" | "ended";
  cookies: string[];
}

interface LoginDeps {
  db: Database;
  keys: SecretKeys;
  metrics: Pick<Metrics, "signIns">;
  report: ReportEvent;
  clock?: () => Moment;
}

/** How long a token is used before it is renewed. */
const renewAfter = 10 * minute;

/** Creates the embedded login service. All its state is in the store, for any number of replicas. */
export function createLogin({ db, keys, metrics, report, clock = Date.now }: LoginDeps): EmbeddedLogin {
  const tokens = createTokens(keys);
  const authenticate = createAuthentication("customer", { db, keys, metrics, report, clock });
  return {
    login: ({ email, password, stayLoggedIn }, caller) =>
      loginOrUnavailable(async () => {
        const result = await authenticate({ email, password, address: caller.address, device: caller.device });
        if (result.status !== "authenticated") return result;
        const { account, device, at } = result;
        await endPresentedSessions(caller, at);
        const session = await startSession(db, account.id, at, stayLoggedIn);
        const cookies = await issueCookies(session, caller, at);
        return { status: "success", cookies: [...cookies, writeDeviceCookie("customer", device, caller)] };
      }),

    async logout(caller) {
      await endPresentedSessions(caller, clock());
      return removeLoginCookies(caller);
    },

    async removeEnded(caller) {
      const { login, longterm } = caller.credentials;
      if (login === undefined && longterm === undefined) return [];
      const at = clock();
      const claims = await readCredentials(caller.credentials, at);
      const session = claims && (await findCurrentSession(db, claims, at));
      return session ? [] : removeLoginCookies(caller);
    },

    async renewSession(caller) {
      const at = clock();
      const claims = await readCredentials(caller.credentials, at);
      const session = claims && (await rotateSession(db, claims, at, report));
      const extended = session && (await extendSession(db, session, at));
      if (!extended) return { status: "ended", cookies: removeLoginCookies(caller) };
      return { status: isLast(extended) ? "last" : "renewed", cookies: await issueCookies(extended, caller, at) };
    },

    async identify({ login }) {
      const at = clock();
      const account = await findSignedIn(await tokens.readLogin(login, at), at);
      if (!account) return undefined;
      const { email, salutation, firstName, lastName, consents } = account;
      return {
        email,
        ...(salutation && { salutation }),
        ...(firstName && { firstName }),
        ...(lastName && { lastName }),
        consents: JSON.parse(consents),
      };
    },

    async findKnownEmail({ login, longterm }) {
      const at = clock();
      const account =
        (await findSignedIn(await tokens.readLogin(login, at), at)) ??
        (await findSignedIn(await tokens.readLongterm(longterm, at), at));
      return account?.email;
    },
  };

  /** Reads the credential of a browser: the long-term token, else the one that every session has. */
  async function readCredentials({ login, longterm }: Credentials, at: Moment): Promise<Claims | undefined> {
    return (await tokens.readLongterm(longterm, at)) ?? (await tokens.readLogin(login, at));
  }

  async function endPresentedSessions({ credentials: { login, longterm } }: LoginCaller, at: Moment): Promise<void> {
    const claims = [await tokens.readLogin(login, at), await tokens.readLongterm(longterm, at)];
    await endSessions(
      db,
      claims.map((claim) => claim?.session),
    );
  }

  async function findSignedIn(claims: Claims | undefined, at: Moment) {
    const session = claims && (await findCurrentSession(db, claims, at));
    return session && db.selectFrom("account").selectAll().where("id", "=", session.accountId).executeTakeFirst();
  }

  /** Signs new tokens for a session. Returns values of Set-Cookie headers. */
  async function issueCookies(session: Session, caller: LoginCaller, at: Moment): Promise<string[]> {
    const { stay, expiresAt } = session;
    const renewAt = isLast(session) ? expiresAt : at + renewAfter;
    const cookies = {
      clock: await tokens.signClock(session, renewAt),
      login: await tokens.signLogin(session, at),
      longterm: stay ? await tokens.signLongterm(session, at) : null,
      lifetime: stay ? Math.ceil((expiresAt - at) / second) : undefined,
    };
    return writeLoginCookies(cookies, caller);
  }
}

/** Whether a session has reached its absolute end, after which it isn't renewed. */
function isLast({ expiresAt, endsAt }: Session): boolean {
  return expiresAt === endsAt;
}
