/** The login's part of the store. */
export interface LoginTables {
  account: AccountTable;
  loginSession: LoginSessionTable;
  loginThrottle: LoginThrottleTable;
}

export interface AccountTable {
  id: string;
  /** The e-mail address as normalised, in lower case: nobody has to remember which letters were capitals. */
  loginName: string;
  /** The e-mail address as normalised. */
  email: string;
  /** In the PHC string format. */
  passwordHash: string;
  salutation: string | null;
  firstName: string | null;
  lastName: string | null;
  /** List as JSON. */
  consents: string;
  /** 1 when the customer can't sign in, else 0: SQLite has no booleans. */
  locked: number;
}

/** Who is signed in: what ends, is removed. All tokens of one session are its family. */
export interface LoginSessionTable {
  id: string;
  accountId: string;
  /** 1 when the customer wants to stay signed in, else 0. */
  stay: number;
  /** How often the credentials were replaced: those of before are used up. */
  generation: number;
  /** When they were last; null when they never were. */
  rotatedAt: number | null;
  /** When it ends unless it is renewed. */
  expiresAt: number;
  /** When it ends at last. */
  endsAt: number;
}

interface LoginThrottleTable {
  /** Hash of the address, be there such an account or not. */
  key: string;
  /** How often a password was tried since the last right one. */
  tries: number;
  /** Until when none is tried. */
  blockedUntil: number;
  /** When all is forgotten. */
  expiresAt: number;
}
