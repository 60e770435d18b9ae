/** The preview's part of the store. */
export interface StaffTables {
  staff: StaffTable;
  staffSession: StaffSessionTable;
}

/** Who may preview the shop: customers' accounts are others. */
export interface StaffTable {
  id: string;
  /** The e-mail address as normalised, in lower case. */
  loginName: string;
  /** The e-mail address as normalised. */
  email: string;
  /** In the PHC string format. */
  passwordHash: string;
  /** 1 for who can't sign in, else 0: SQLite has no booleans. */
  locked: number;
}

/** Who is signed in: what ends, is removed. */
export interface StaffSessionTable {
  id: string;
  staffId: string;
  /** When it ends unless it is renewed. */
  expiresAt: number;
  /** When it ends at last. */
  endsAt: number;
}
