import { hour, minute } from "../../../client/rules/time.ts";
import { createSessions, type SessionOf } from "../sign-in/sessions.ts";

export type StaffSession = SessionOf<"staffSession">;

/** The sessions of staff, which pages renew every five minutes. */
const limits = { idle: 30 * minute, absolute: 12 * hour };

/** Longest life of any token of staff. */
export const maxStaffTokenAge = limits.absolute;

export const staffSessions = createSessions("staffSession", {
  accounts: "staff",
  owner: "staffId",
  limitsOf: () => limits,
});
