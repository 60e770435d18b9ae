import type { StaffLogin } from "../../../schemas/types.ts";
import type { StaffCaller, StaffLoginResult } from "../../services/preview-service.ts";
import { writeStaffCookies } from "../../services/staff-cookies.ts";
import { loginNameOf } from "../login/accounts.ts";
import { tryPassword } from "../sign-in/try-password.ts";
import { endPresented, issueCookies } from "./presented-session.ts";
import type { PreviewContext } from "./preview-context.ts";
import { findStaff, keepStaffPassword } from "./staff.ts";
import { startStaffSession } from "./staff-sessions.ts";

/**
 * Signs a member of staff in.
 * @throws UnavailableError when passwords can't be checked; whatever the store throws
 */
export function signIn(
  context: PreviewContext,
  { user, password }: StaffLogin,
  { address, cookies, secure }: StaffCaller,
): Promise<StaffLoginResult> {
  const { db } = context;
  const loginName = loginNameOf(user);
  return context.inTurn(loginName, async () => {
    const at = context.clock();
    const tried = await tryPassword(
      context,
      { loginName, password, address, at },
      { find: () => findStaff(db, user), keepHash: (id, hash) => keepStaffPassword(db, id, hash) },
    );
    if (tried.status !== "right") return tried;
    await endPresented(context, cookies, at);
    const session = await startStaffSession(db, tried.account.id, at);
    // What was chosen before was another session's.
    const forgotten = writeStaffCookies({ context: null }, { secure });
    return { status: "success", cookies: [...(await issueCookies(context, session, secure, at)), ...forgotten] };
  });
}
