import type { Credentials, LoginCaller } from "../../services/login-service.ts";
import { sessionCookies } from "./cookies.ts";
import type { LoginContext } from "./login-context.ts";
import { endSession } from "./sessions.ts";

/** Ends the session of a caller. Returns values of Set-Cookie headers, which remove it from the browser. */
export async function logOut(context: LoginContext, caller: LoginCaller): Promise<string[]> {
  await endPresented(context, caller.credentials, context.clock());
  return sessionCookies({}, caller);
}

/** Ends every session that a browser still has a credential of. */
export async function endPresented(
  { db, tokens }: LoginContext,
  { login, longterm }: Credentials,
  at: number,
): Promise<void> {
  const claims = [await tokens.readLogin(login, at), await tokens.readLongterm(longterm, at)];
  const ids = new Set(claims.flatMap((claim) => (claim ? [claim.session] : [])));
  for (const id of ids) await endSession(db, id);
}
