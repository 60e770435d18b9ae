import { removeLoginCookies } from "../../services/login-cookies.ts";
import type { LoginCaller } from "../../services/login-service.ts";
import { isLast, issueCookies } from "./issue-cookies.ts";
import type { LoginParts } from "./login-parts.ts";
import { loginSessions, rotate } from "./sessions.ts";
import { readCredentials } from "./tokens.ts";

/**
 * How a renewal ends. `cookies` are values of Set-Cookie headers; after the end they remove the session from the
 * browser.
 */
export interface SessionRenewal {
  status: "renewed" | "last" | "ended";
  cookies: string[];
}

/** Renews the session of a caller, if it goes on. */
export async function renew(parts: LoginParts, caller: LoginCaller): Promise<SessionRenewal> {
  const { db, tokens, report, clock } = parts;
  const at = clock();
  const claims = await readCredentials(tokens, caller.credentials, at);
  const session = claims && (await rotate(db, claims, at, report));
  const extended = session && (await loginSessions.extend(db, session, at));
  if (!extended) return { status: "ended", cookies: removeLoginCookies(caller) };
  return {
    status: isLast(extended) ? "last" : "renewed",
    cookies: await issueCookies(parts, extended, caller, at),
  };
}
