import type { LoginRequest } from "../../../schemas/types.ts";
import { networkOf } from "../../network.ts";
import { findAccount, keepPassword, loginNameOf } from "./accounts.ts";
import { issueCookies } from "./issue-cookies.ts";
import { endPresented } from "./log-out.ts";
import type { LoginContext } from "./login-context.ts";
import type { LoginCaller, LoginResult } from "./login-service.ts";
import { checkPassword, hashPassword, nobodysHash } from "./password-hash.ts";
import { startSession } from "./sessions.ts";

/**
 * Signs a customer in. An unknown address and a locked account take the same steps as a wrong password, so that neither
 * the answer nor its time tells which it is.
 * @throws UnavailableError when passwords can't be checked; whatever the store throws
 */
export async function logIn(context: LoginContext, request: LoginRequest, caller: LoginCaller): Promise<LoginResult> {
  const loginName = loginNameOf(request.email);
  return context.inTurn(loginName, () => tryPassword(context, request, caller, loginName));
}

async function tryPassword(
  context: LoginContext,
  request: LoginRequest,
  caller: LoginCaller,
  loginName: string,
): Promise<LoginResult> {
  const { db, limiter, throttle } = context;
  const at = context.clock();
  const network = networkOf(caller.address) ?? "unknown";
  const wait = (await limiter.wait(network, at)) || (await throttle.begin(loginName, at));
  if (wait > 0) return { status: "throttled", retryAfter: Math.ceil(wait / 1000) };

  const account = await findAccount(db, request.email);
  const { right, outdated } = await checkPassword(request.password, account?.passwordHash ?? nobodysHash);
  if (!account || !right || account.locked === 1) {
    await limiter.consume(network, at);
    return { status: "unauthorized" };
  }
  await throttle.forget(loginName);
  if (outdated) await keepPassword(db, account.id, await hashPassword(request.password));
  await endPresented(context, caller.credentials, at);
  const session = await startSession(db, { accountId: account.id, stay: request.stayLoggedIn === true, at });
  return { status: "success", cookies: await issueCookies(context, session, caller, at) };
}
