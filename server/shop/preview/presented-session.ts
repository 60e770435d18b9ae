import { UnauthorizedError } from "../../errors.ts";
import type { Preview, StaffCookies } from "../../services/preview-service.ts";
import { writeStaffCookies } from "../../services/staff-cookies.ts";
import type { PreviewContext } from "./preview-context.ts";
import { endStaffSession, findStaffSession, type StaffSession } from "./staff-sessions.ts";

type SessionContext = Pick<PreviewContext, "db" | "tokens">;

/** Finds the session of a browser, which must have both of its credentials. */
export async function sessionOf(
  { db, tokens }: SessionContext,
  { staff, cobra }: StaffCookies,
  at: number,
): Promise<StaffSession | undefined> {
  const id = await tokens.readCredential("staff", staff, at);
  if (id === undefined || id !== (await tokens.readCredential("cobra", cobra, at))) return undefined;
  return findStaffSession(db, id, at);
}

/** The same, or throws UnauthorizedError. */
export async function requireSession(context: SessionContext, cookies: StaffCookies, at: number) {
  const session = await sessionOf(context, cookies, at);
  if (!session) throw new UnauthorizedError("nobody is signed in");
  return session;
}

/** Ends every session that a browser still has a credential of. */
export async function endPresented(
  { db, tokens }: SessionContext,
  { staff, cobra }: StaffCookies,
  at: number,
): Promise<void> {
  const ids = [await tokens.readCredential("staff", staff, at), await tokens.readCredential("cobra", cobra, at)];
  for (const id of new Set(ids)) if (id !== undefined) await endStaffSession(db, id);
}

/** Signs the credentials of a session anew. Returns values of Set-Cookie headers. */
export async function issueCookies({ tokens }: SessionContext, session: StaffSession, secure: boolean, at: number) {
  const values = {
    staff: await tokens.signCredential("staff", session, at),
    cobra: await tokens.signCredential("cobra", session, at),
    flag: "true",
  };
  return writeStaffCookies(values, { secure, lifetime: Math.ceil((session.expiresAt - at) / 1000) });
}

/** Signs what a session previews. Returns values of Set-Cookie headers. */
export async function issueContext(
  { tokens }: SessionContext,
  session: StaffSession,
  preview: Preview,
  secure: boolean,
  at: number,
) {
  const context = await tokens.signContext(session, preview, at);
  return writeStaffCookies({ context }, { secure, lifetime: Math.ceil((session.endsAt - at) / 1000) });
}
