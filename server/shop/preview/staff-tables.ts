import type { AccountColumns, SessionColumns } from "../sign-in/sign-in-tables.ts";

declare module "../store/tables.ts" {
  interface Tables {
    /** Who may preview the shop: customers' accounts are others. */
    staff: AccountColumns;
    staffSession: StaffSessionTable;
  }
}

interface StaffSessionTable extends SessionColumns {
  staffId: string;
}
