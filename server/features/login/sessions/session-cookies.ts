import { type Moment, minute, second } from "../../../../client/rules/time.ts";
import { createSignedTokens, toSeconds } from "../../../accounts/signed-tokens.ts";
import { type Caller, readCookie } from "../../../http/cookies.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import { writeLoginCookies } from "../service.ts";

/** The age at which a session's cookies are renewed. */
export const renewAfter = 10 * minute;
const types = { login: "login+jwt", LongtermToken: "longterm+jwt" };
const clockType = "login-clock+jwt";

/** What cookies say about a session. */
interface CookieSession {
  id: string;
  /** 1 for a session that lasts beyond the browser's. */
  stay: number;
  generation: number;
  expiresAt: Moment;
}

interface CookieOptions {
  /** When scripts renew the session; its end if it can't be renewed any more. */
  renewAt: Moment;
  /** Further claims of the credentials. */
  claims: Record<string, string>;
}

/** The claims of a credential. */
export interface Claims {
  /** Id of the session. */
  sid: string;
  /** The number of earlier credentials of the session that were used up. */
  gen: number;
  /** The encrypted address of a customer who has signed in at a provider. */
  hint?: string;
}

/** Reads and writes the cookies of customers' sessions: two credentials, and the clock, which scripts can read. */
export function createSessionCookies(keys: SecretKeys) {
  const tokens = createSignedTokens(keys, "storefront");
  const read = (caller: Caller, name: keyof typeof types) => tokens.read<Claims>(types[name], readCookie(caller, name));
  return {
    /** Reads a credential; undefined for one that is invalid or has expired. */
    read,

    /** Reads a browser's credential: the long-term token, or else the one that every session has. */
    readAny: async (caller: Caller): Promise<Claims | undefined> =>
      (await read(caller, "LongtermToken")) ?? (await read(caller, "login")),

    /** Reads the ids of all sessions whose credentials a browser has. */
    async readIds(caller: Caller): Promise<string[]> {
      const all = [await read(caller, "login"), await read(caller, "LongtermToken")];
      return all.flatMap((claims) => claims?.sid ?? []);
    },

    /** Signs new cookies for a session. Returns values of Set-Cookie headers. */
    async write(session: CookieSession, caller: Caller, { renewAt, claims }: CookieOptions): Promise<string[]> {
      const { id, stay, expiresAt } = session;
      const clock = {
        exp: toSeconds(expiresAt),
        ren: toSeconds(renewAt),
        // Marks the session as a long one.
        ...(stay === 1 && { lid: id }),
      };
      const values = {
        LoginToken: await tokens.sign(clockType, clock),
        login: await sign("login", session, claims),
        LongtermToken: stay === 1 ? await sign("LongtermToken", session, claims) : null,
      };
      return writeLoginCookies(values, caller, stay === 1 ? Math.ceil((expiresAt - Date.now()) / second) : undefined);
    },
  };

  function sign(
    name: keyof typeof types,
    { id, generation, expiresAt }: CookieSession,
    claims: CookieOptions["claims"],
  ): Promise<string> {
    return tokens.issue(types[name], { ...claims, sid: id, gen: generation }, expiresAt);
  }
}
