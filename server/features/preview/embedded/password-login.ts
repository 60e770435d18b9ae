import { createAuthentication, type SignInContext, type SignInResult } from "../../../accounts/sign-in.ts";
import type { Caller } from "../../../http/cookies.ts";
import type { Database } from "../../../store/open-store.ts";
import type { StaffSessions } from "./staff-sessions.ts";

/** Signs staff in by the password of their account here. Throws what the store throws. */
export type StaffPasswordLogin = (user: string, password: string, caller: Caller) => Promise<SignInResult>;

export function createPasswordLogin(context: SignInContext, db: Database, staff: StaffSessions): StaffPasswordLogin {
  const authenticate = createAuthentication("staff", db, context);
  return async (user, password, caller) => {
    const result = await authenticate(user, password, caller);
    if (result.status !== "authenticated") return result;
    return { status: "success", cookies: [...(await staff.start(result.account, caller)), result.deviceCookie] };
  };
}
