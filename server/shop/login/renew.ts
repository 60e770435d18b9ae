import type { LoginCaller } from "../../services/login-service.ts";
import { sessionCookies } from "./cookies.ts";
import { isLast, issueCookies } from "./issue-cookies.ts";
import type { LoginContext } from "./login-context.ts";
import { extend, rotate } from "./sessions.ts";
import { readCredentials } from "./tokens.ts";

/** `cookies` are values of Set-Cookie headers; those of a session that has ended remove it from the browser. */
export interface Renewal {
  status: "renewed" | "last" | "ended";
  cookies: string[];
}

/** Renews the session of a caller, if it goes on. */
export async function renew(context: LoginContext, caller: LoginCaller): Promise<Renewal> {
  const at = context.clock();
  const claims = await readCredentials(context.tokens, caller.credentials, at);
  const session = claims && (await rotate(context.db, claims, at));
  const extended = session && (await extend(context.db, session, at));
  if (!extended) return { status: "ended", cookies: sessionCookies({}, caller) };
  return {
    status: isLast(extended) ? "last" : "renewed",
    cookies: await issueCookies(context, extended, caller, at),
  };
}
