import type { Moment } from "../../../client/rules/time.ts";
import type { AccountColumns, SessionColumns } from "../sign-in/sign-in-tables.ts";

declare module "../store/tables.ts" {
  interface Tables {
    account: AccountTable;
    loginSession: LoginSessionTable;
  }
}

/** The account of a customer. */
interface AccountTable extends AccountColumns {
  salutation: string | null;
  firstName: string | null;
  lastName: string | null;
  /** List of the consents as JSON. */
  consents: string;
}

/** A session of a customer. All its tokens are its family. */
interface LoginSessionTable extends SessionColumns {
  accountId: string;
  /** 1 when the customer wants to stay signed in, else 0. */
  stay: number;
  /** How often the credentials were replaced; the earlier ones are used up. */
  generation: number;
  /** When the credentials were last replaced; null when they never were. */
  rotatedAt: Moment | null;
}
