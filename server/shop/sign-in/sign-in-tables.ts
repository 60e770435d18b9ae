import type { Moment } from "../../../client/rules/time.ts";

declare module "../store/tables.ts" {
  interface Tables {
    loginThrottle: LoginThrottleTable;
  }
}

/** The columns that every table of accounts has. */
export interface AccountColumns {
  id: string;
  /** The e-mail address as normalised, in lower case: nobody has to remember which letters were capitals. */
  loginName: string;
  /** The e-mail address as normalised. */
  email: string;
  /** In the PHC string format. */
  passwordHash: string;
  /** 1 for who can't sign in, else 0: SQLite has no booleans. */
  locked: number;
}

/** The columns that every table of sessions has. A row is somebody who is signed in: what ends, is removed. */
export interface SessionColumns {
  id: string;
  /** When it ends unless it is renewed. */
  expiresAt: Moment;
  /** When it ends at last. */
  endsAt: Moment;
}

interface LoginThrottleTable {
  /** Hash of the address, be there such an account or not. */
  key: string;
  /** How often a password was tried since the last right one. */
  tries: number;
  /** Until when none is tried. */
  blockedUntil: Moment;
  /** When all is forgotten. */
  expiresAt: Moment;
}
