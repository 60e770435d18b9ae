import type { LoginRequest } from "../../../schemas/types.ts";
import type { LoginCaller, LoginResult } from "../../services/login-service.ts";
import { tryPassword } from "../sign-in/try-password.ts";
import { findAccount, keepPassword, loginNameOf } from "./accounts.ts";
import { issueCookies } from "./issue-cookies.ts";
import { endPresented } from "./log-out.ts";
import type { LoginContext } from "./login-context.ts";
import { startSession } from "./sessions.ts";

/**
 * Signs a customer in.
 * @throws UnavailableError when passwords can't be checked; whatever the store throws
 */
export function logIn(
  context: LoginContext,
  { email, password, stayLoggedIn }: LoginRequest,
  caller: LoginCaller,
): Promise<LoginResult> {
  const { db } = context;
  const loginName = loginNameOf(email);
  return context.inTurn(loginName, async () => {
    const at = context.clock();
    const tried = await tryPassword(
      context,
      { loginName, password, address: caller.address, at },
      { find: () => findAccount(db, email), keepHash: (id, hash) => keepPassword(db, id, hash) },
    );
    if (tried.status !== "right") return tried;
    await endPresented(context, caller.credentials, at);
    const session = await startSession(db, { accountId: tried.account.id, stay: stayLoggedIn === true, at });
    return { status: "success", cookies: await issueCookies(context, session, caller, at) };
  });
}
