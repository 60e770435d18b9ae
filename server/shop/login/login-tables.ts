import type { Moment } from "../../../client/rules/time.ts";
import type { AccountColumns, SessionColumns } from "../sign-in/sign-in-tables.ts";

declare module "../store/tables.ts" {
  interface Tables {
    account: AccountTable;
    loginSession: LoginSessionTable;
  }
}

/** Customers. */
interface AccountTable extends AccountColumns {
  salutation: string | null;
  firstName: string | null;
  lastName: string | null;
  /** List as JSON. */
  consents: string;
}

/** All tokens of one session are its family. */
interface LoginSessionTable extends SessionColumns {
  accountId: string;
  /** 1 when the customer wants to stay signed in, else 0. */
  stay: number;
  /** How often the credentials were replaced: those of before are used up. */
  generation: number;
  /** When they were last; null when they never were. */
  rotatedAt: Moment | null;
}
