import { type Moment, second } from "../../../client/rules/time.ts";
import type { Preview, StaffCookies } from "../../services/preview-service.ts";
import { writeStaffCookies } from "../../services/staff-cookies.ts";
import type { PreviewParts } from "./preview-parts.ts";
import { type StaffSession, staffSessions } from "./staff-sessions.ts";

type SessionParts = Pick<PreviewParts, "db" | "tokens">;

/** Finds the session of a browser, which must have both of its credentials. */
export async function sessionOf(
  { db, tokens }: SessionParts,
  cookies: StaffCookies,
  at: Moment,
): Promise<StaffSession | undefined> {
  const [id, other] = await readStaffSessions(tokens, cookies, at);
  return id === undefined || id !== other ? undefined : staffSessions.find(db, id, at);
}

/** Reads both credentials of a browser: the session of each, undefined for one that isn't good. */
export async function readStaffSessions(
  tokens: PreviewParts["tokens"],
  { staff, cobra }: StaffCookies,
  at: Moment,
): Promise<[string | undefined, string | undefined]> {
  return [await tokens.readCredential("staff", staff, at), await tokens.readCredential("cobra", cobra, at)];
}

/** Signs the credentials of a session anew. Returns values of Set-Cookie headers. */
export async function issueCredentials(
  { tokens }: Pick<PreviewParts, "tokens">,
  session: StaffSession,
  secure: boolean,
  at: Moment,
): Promise<string[]> {
  const values = {
    staff: await tokens.signCredential("staff", session, at),
    cobra: await tokens.signCredential("cobra", session, at),
    flag: "true",
  };
  return writeStaffCookies(values, { secure, lifetime: Math.ceil((session.expiresAt - at) / second) });
}

/** Signs what a session previews. Returns values of Set-Cookie headers. */
export async function issueContext(
  { tokens }: Pick<PreviewParts, "tokens">,
  session: StaffSession,
  preview: Preview,
  secure: boolean,
  at: Moment,
): Promise<string[]> {
  const context = await tokens.signContext(session, preview, at);
  return writeStaffCookies({ context }, { secure, lifetime: Math.ceil((session.endsAt - at) / second) });
}
