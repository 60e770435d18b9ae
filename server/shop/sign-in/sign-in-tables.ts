import type { Moment } from "../../../client/rules/time.ts";

declare module "../store/tables.ts" {
  interface Tables {
    loginThrottle: LoginThrottleTable;
  }
}

/** The columns that every table of accounts has. */
export interface AccountColumns {
  id: string;
  /** The normalised e-mail address in lower case, as nobody remembers which letters were capitals. */
  loginName: string;
  /** The normalised e-mail address. */
  email: string;
  /** Hash of the password in the PHC string format. */
  passwordHash: string;
  /** 1 when the account can't sign in, else 0, as SQLite has no booleans. */
  locked: number;
  /** 1 for an account of the demo, whose password may be known to many; null for every other. */
  demo: number | null;
}

/** The columns that every table of sessions has. A row is somebody who is signed in, and is removed at the end. */
export interface SessionColumns {
  /** Its id; the store has a hash in its place. */
  id: string;
  /** When the session ends unless it is renewed. */
  expiresAt: Moment;
  /** When the session ends even if it is renewed. */
  endsAt: Moment;
}

interface LoginThrottleTable {
  /** Hash of the address, whether or not it has an account. */
  key: string;
  /** How often a password was tried since the last right one. */
  tries: number;
  /** Until when no password may be tried. */
  blockedUntil: Moment;
  /** When the tries no longer count. */
  expiresAt: Moment;
}
