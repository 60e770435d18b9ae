import { createAccounts } from "../sign-in/accounts.ts";
import { staffSessions } from "./staff-sessions.ts";

/** The accounts of staff, of whom the address alone is known. */
export const staffAccounts = createAccounts("staff", {
  kind: "staff",
  sessions: staffSessions,
  columnsOf: () => ({}),
});
