import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { normalizeEmail } from "../../../client/rules/email.ts";
import type { AccountKind } from "../../security-events.ts";
import type { Database } from "../store/open-store.ts";
import type { Tables } from "../store/tables.ts";
import { hashPassword } from "./password-hash.ts";
import type { AccountColumns } from "./sign-in-tables.ts";

/** What accounts of every kind have. */
export type Account = Selectable<AccountColumns>;

export interface NewAccount {
  email: string;
  password: string;
  /** Whether the account is one of the demo. */
  isDemo?: boolean;
}

/** The accounts of one kind. `Profile` is what a new one is told beside address and password. */
export interface Accounts<Profile = unknown> {
  kind: AccountKind;
  /** Finds the account of an address; undefined where there is none, also of a text that is no address. */
  find(db: Database, email: string): Promise<Account | undefined>;
  /** Lists the accounts by their address. */
  list(db: Database): Promise<Pick<Account, "email" | "locked" | "demo">[]>;
  /** Adds an account, and returns whether it did: an address has one account of a kind. */
  add(db: Database, account: NewAccount & Profile): Promise<boolean>;
  /** Sets a new password, which ends what was begun with the old one. */
  setPassword(db: Database, account: Pick<Account, "id">, password: string): Promise<void>;
  /** Replaces the hash of an unchanged password. One that was changed meanwhile stays. */
  keepHash(db: Database, account: Pick<Account, "id" | "passwordHash">, passwordHash: string): Promise<void>;
  /** Ends all sessions of an account. */
  signOut(db: Database, account: Pick<Account, "id">): Promise<void>;
  /** Ends all sessions of all accounts. */
  signOutAll(db: Database): Promise<void>;
  /** Keeps somebody from signing in and signs them out everywhere, or lets them in again. */
  setLocked(db: Database, account: Pick<Account, "id">, locked: boolean): Promise<void>;
  /** Marks an account as one of the demo, and lets it in. */
  admitDemo(db: Database, account: Pick<Account, "id">): Promise<void>;
  /** Locks the accounts of the demo. Returns those that were open. */
  lockDemo(db: Database): Promise<Pick<Account, "loginName">[]>;
  /** Removes an account, with its sessions. */
  remove(db: Database, account: Pick<Account, "id">): Promise<void>;
}

interface AccountsOptions<Table extends AccountTable, Profile> {
  kind: AccountKind;
  sessions: {
    /** Signs an account out everywhere. */
    endAllOf(db: Database, accountId: string): Promise<void>;
    /** Signs everybody out everywhere. */
    endAll(db: Database): Promise<void>;
  };
  /** Gives the columns that the table of this kind alone has, for the profile of a new account. */
  columnsOf(profile: Profile): Omit<Tables[Table], keyof AccountColumns>;
}

export type AccountTable = "account" | "staff";

/** Gives the form of an address by which its account is found and tries of its password are counted. */
export function loginNameOf(email: string): string {
  return normalizeEmail(email).toLowerCase();
}

/**
 * Creates the accounts of one kind.
 * @param table - where they are stored
 */
export function createAccounts<Table extends AccountTable, Profile>(
  table: Table,
  { kind, sessions, columnsOf }: AccountsOptions<Table, Profile>,
): Accounts<Profile> {
  const accounts: AccountTable = table;
  return {
    kind,

    async find(db, email) {
      const loginName = loginNameOf(email);
      // PostgreSQL has no text with this character, and fails when it is asked for one.
      if (loginName.includes("\0")) return undefined;
      return db
        .selectFrom(accounts)
        .select(["id", "loginName", "email", "passwordHash", "locked", "demo"])
        .where("loginName", "=", loginName)
        .executeTakeFirst();
    },

    list(db) {
      return db.selectFrom(accounts).select(["email", "locked", "demo"]).orderBy("loginName").execute();
    },

    async add(db, account) {
      const { email, password, isDemo } = account;
      const { numInsertedOrUpdatedRows: added = 0n } = await db
        .insertInto(accounts)
        .values({
          ...columnsOf(account),
          id: randomUUID(),
          loginName: loginNameOf(email),
          email: normalizeEmail(email),
          passwordHash: await hashPassword(password),
          locked: 0,
          demo: isDemo ? 1 : null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      return added > 0n;
    },

    async setPassword(db, { id }, password) {
      await update(db, id, { passwordHash: await hashPassword(password) });
      await sessions.endAllOf(db, id);
    },

    async keepHash(db, { id, passwordHash: checked }, passwordHash) {
      const kept = db.updateTable(accounts).set({ passwordHash });
      await kept.where("id", "=", id).where("passwordHash", "=", checked).execute();
    },

    signOut: (db, { id }) => sessions.endAllOf(db, id),

    signOutAll: (db) => sessions.endAll(db),

    setLocked,

    admitDemo: (db, { id }) => update(db, id, { demo: 1, locked: 0 }),

    async lockDemo(db) {
      const open = await db
        .selectFrom(accounts)
        .select(["id", "loginName"])
        .where("demo", "=", 1)
        .where("locked", "=", 0)
        .execute();
      for (const account of open) await setLocked(db, account, true);
      return open;
    },

    async remove(db, { id }) {
      await db.deleteFrom(accounts).where("id", "=", id).execute();
    },
  };

  async function setLocked(db: Database, { id }: Pick<Account, "id">, locked: boolean): Promise<void> {
    await update(db, id, { locked: Number(locked) });
    if (locked) await sessions.endAllOf(db, id);
  }

  async function update(db: Database, id: string, columns: Partial<AccountColumns>): Promise<void> {
    await db.updateTable(accounts).set(columns).where("id", "=", id).execute();
  }
}
