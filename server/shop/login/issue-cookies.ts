import type { LoginCaller } from "../../services/login-service.ts";
import { sessionCookies } from "./cookies.ts";
import type { LoginContext } from "./login-context.ts";
import type { Session } from "./sessions.ts";

/** How long a token is used before it is to be renewed, in milliseconds. */
const renewAfter = 10 * 60_000;

/** The session has reached its absolute end: it is renewed no more. */
export function isLast({ expiresAt, endsAt }: Session): boolean {
  return expiresAt === endsAt;
}

/** Signs the tokens of a session anew. Returns values of Set-Cookie headers. */
export async function issueCookies(
  { tokens }: Pick<LoginContext, "tokens">,
  session: Session,
  caller: LoginCaller,
  at: number,
): Promise<string[]> {
  const { stay, expiresAt } = session;
  const renewAt = isLast(session) ? expiresAt : at + renewAfter;
  const cookies = {
    clock: await tokens.signClock(session, at, renewAt),
    login: await tokens.signLogin(session, at),
    ...(stay && { longterm: await tokens.signLongterm(session, at), lifetime: Math.ceil((expiresAt - at) / 1000) }),
  };
  return sessionCookies(cookies, caller);
}
