import { type Moment, minute, second } from "../../../client/rules/time.ts";
import { writeLoginCookies } from "../../services/login-cookies.ts";
import type { LoginCaller } from "../../services/login-service.ts";
import type { LoginParts } from "./login-parts.ts";
import type { LoginSession } from "./sessions.ts";

/** How long a token is used before it is to be renewed. */
const renewAfter = 10 * minute;

/** Tells whether a session has reached its absolute end, after which it isn't renewed any more. */
export function isLast({ expiresAt, endsAt }: LoginSession): boolean {
  return expiresAt === endsAt;
}

/** Signs the tokens of a session anew. Returns values of Set-Cookie headers. */
export async function issueCookies(
  { tokens }: Pick<LoginParts, "tokens">,
  session: LoginSession,
  caller: LoginCaller,
  at: Moment,
): Promise<string[]> {
  const { stay, expiresAt } = session;
  const renewAt = isLast(session) ? expiresAt : at + renewAfter;
  const cookies = {
    clock: await tokens.signClock(session, at, renewAt),
    login: await tokens.signLogin(session, at),
    longterm: stay ? await tokens.signLongterm(session, at) : null,
    lifetime: stay ? Math.ceil((expiresAt - at) / second) : undefined,
  };
  return writeLoginCookies(cookies, caller);
}
