import type { StaffLogin } from "../../../schemas/types.ts";
import { networkOf } from "../../network.ts";
import { loginNameOf } from "../login/accounts.ts";
import { checkPassword, hashPassword, nobodysHash } from "../login/password-hash.ts";
import { endPresented, issueCookies } from "./presented-session.ts";
import type { PreviewContext } from "./preview-context.ts";
import type { StaffCaller, StaffLoginResult } from "./preview-service.ts";
import { findStaff, keepStaffPassword } from "./staff.ts";
import { writeStaffCookies } from "./staff-cookies.ts";
import { startStaffSession } from "./staff-sessions.ts";

/**
 * Signs a member of staff in. An unknown address and a locked account take the same steps as a wrong password, so that
 * neither the answer nor its time tells which it is.
 * @throws UnavailableError when passwords can't be checked; whatever the store throws
 */
export function signIn(context: PreviewContext, request: StaffLogin, caller: StaffCaller): Promise<StaffLoginResult> {
  const loginName = loginNameOf(request.user);
  return context.inTurn(loginName, () => tryPassword(context, request, caller, loginName));
}

async function tryPassword(
  context: PreviewContext,
  { user, password }: StaffLogin,
  { address, cookies, secure }: StaffCaller,
  loginName: string,
): Promise<StaffLoginResult> {
  const { db, limiter, throttle } = context;
  const at = context.clock();
  const network = networkOf(address) ?? "unknown";
  const wait = (await limiter.wait(network, at)) || (await throttle.begin(loginName, at));
  if (wait > 0) return { status: "throttled", retryAfter: Math.ceil(wait / 1000) };

  const member = await findStaff(db, user);
  const { right, outdated } = await checkPassword(password, member?.passwordHash ?? nobodysHash);
  if (!member || !right || member.locked === 1) {
    await limiter.consume(network, at);
    return { status: "unauthorized" };
  }
  await throttle.forget(loginName);
  if (outdated) await keepStaffPassword(db, member.id, await hashPassword(password));
  await endPresented(context, cookies, at);
  const session = await startStaffSession(db, member.id, at);
  // What was chosen before was another session's.
  const forgotten = writeStaffCookies({ context: null }, { secure });
  return { status: "success", cookies: [...(await issueCookies(context, session, secure, at)), ...forgotten] };
}
