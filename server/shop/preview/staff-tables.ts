import type { AccountColumns, SessionColumns } from "../sign-in/sign-in-tables.ts";

declare module "../store/tables.ts" {
  interface Tables {
    /** The account of a member of staff, who may preview the shop. */
    staff: AccountColumns;
    staffSession: StaffSessionTable;
  }
}

interface StaffSessionTable extends SessionColumns {
  staffId: string;
}
