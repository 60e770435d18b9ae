import { randomUUID } from "node:crypto";
import { minute, second } from "../../../../client/rules/time.ts";
import { longSessionLimits, type Session } from "../../../accounts/sessions.ts";
import { createSignedTokens, toSeconds } from "../../../accounts/signed-tokens.ts";
import { type Caller, readCookie } from "../../../http/cookies.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import { writeLoginCookies } from "../service.ts";

const types = { login: "login+jwt", LongtermToken: "longterm+jwt" };
const clockType = "login-clock+jwt";

/** How long a session's cookies are used before they are renewed. */
const renewAfter = 10 * minute;

/** The claims of a credential. */
export interface Claims {
  /** Id of the session. */
  session: string;
  /** Id of the account. */
  account: string;
  /** How many earlier credentials of the session were used up. */
  generation: number;
}

/** Reads and writes the cookies of customers' sessions: two credentials, and the clock that scripts read. */
export function createSessionCookies(keys: SecretKeys) {
  const tokens = createSignedTokens(keys, {
    issuer: "storefront-login",
    audience: "storefront",
    maxAge: longSessionLimits.idle,
  });
  return {
    /** Reads a credential; undefined for one that is invalid or has expired. */
    async read(caller: Caller, name: keyof typeof types): Promise<Claims | undefined> {
      const { sid, sub, gen } = (await tokens.read(types[name], readCookie(caller, name))) ?? {};
      const isComplete = typeof sid === "string" && typeof sub === "string" && typeof gen === "number";
      return isComplete ? { session: sid, account: sub, generation: gen } : undefined;
    },

    /** Signs new cookies for a session. Returns values of Set-Cookie headers. */
    async write(session: Session, caller: Caller): Promise<string[]> {
      const { id, stay, expiresAt } = session;
      const now = Date.now();
      const clock = {
        exp: toSeconds(expiresAt),
        ren: toSeconds(isLast(session) ? expiresAt : now + renewAfter),
        // Says that the session is a long one.
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

  function sign(name: keyof typeof types, { id, accountId, generation, expiresAt }: Session): Promise<string> {
    return tokens.issue(types[name], { sub: accountId, sid: id, gen: generation, jti: randomUUID() }, expiresAt);
  }
}

/** Whether a session has reached its absolute end, after which it isn't renewed. */
export function isLast({ expiresAt, endsAt }: Session): boolean {
  return expiresAt === endsAt;
}
