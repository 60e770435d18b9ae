import { randomUUID } from "node:crypto";
import { normalizeEmail } from "../../client/rules/email.ts";
import { normalizeName } from "../../client/rules/subscription.ts";
import type { AccountLine } from "../../schemas/types.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { AccountKind } from "../platform/security-events.ts";
import type { Database } from "../store/open-store.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { dummyHash, hashPassword } from "./password-hash.ts";
import { endSessionsOf } from "./sessions.ts";

declare module "../store/tables.ts" {
  interface Tables {
    account: Account;
  }
}

/** The account of a customer, or of a member of staff who may preview the shop. */
export interface Account {
  id: string;
  kind: AccountKind;
  /**
   * The normalized email address in lower case, unique per kind of account. Lower case, because people forget which
   * letters they capitalized.
   */
  loginName: string;
  /** The normalized email address. */
  email: string;
  /** Hash of the password in the PHC string format. */
  passwordHash: string;
  salutation: string | null;
  firstName: string | null;
  lastName: string | null;
  /** The consents as a JSON array; empty for staff. */
  consents: string;
  /** 1 if the account can't sign in, otherwise 0: SQLite has no booleans. */
  locked: number;
  /** 1 for a demo account, whose password may be widely known; otherwise 0. */
  demo: number;
}

/** An account to add, with its password as people type it. */
export type NewAccount = Omit<AccountLine, "kind" | "passwordHash"> & { password: string };

/** Returns the form of an address that identifies an account and its failed logins. */
export function loginNameOf(email: string): string {
  return normalizeEmail(email).toLowerCase();
}

/** Finds the account of an address; undefined when there is none or the text isn't an address. */
export async function findAccount(db: Database, kind: AccountKind, email: string): Promise<Account | undefined> {
  const loginName = loginNameOf(email);
  // PostgreSQL rejects a query with this character.
  if (loginName.includes("\0")) return undefined;
  return db
    .selectFrom("account")
    .selectAll()
    .where("kind", "=", kind)
    .where("loginName", "=", loginName)
    .executeTakeFirst();
}

/** Adds an account. Returns false when the address already has one of this kind. */
export async function addAccount(
  db: Database,
  kind: AccountKind,
  { password, ...account }: NewAccount,
): Promise<boolean> {
  const added = await addAccounts(db, [{ ...account, kind, passwordHash: await hashPassword(password) }]);
  return added.length > 0;
}

/**
 * Returns the account of a member of staff whom an identity provider has signed in. It is added at the first sign-in, with
 * a password that nobody knows.
 */
export async function provideStaffAccount(db: Database, name: string): Promise<Account | undefined> {
  const known = await findAccount(db, "staff", name);
  if (known) return known;
  await addAccounts(db, [{ kind: "staff", email: name, passwordHash: dummyHash }]);
  return findAccount(db, "staff", name);
}

/**
 * Adds accounts. Existing ones stay as they are, including passwords that have changed since.
 * @returns the added ones
 */
export function addAccounts(db: Database, lines: readonly AccountLine[]) {
  return db
    .insertInto("account")
    .values(lines.map(toAccount))
    .onConflict((conflict) => conflict.columns(["kind", "loginName"]).doNothing())
    .returning(["kind", "loginName"])
    .execute();
}

function toAccount(line: AccountLine): Account {
  const { kind, email, passwordHash, salutation = null, firstName, lastName, consents = [] } = line;
  return {
    id: randomUUID(),
    kind,
    loginName: loginNameOf(email),
    email: normalizeEmail(email),
    passwordHash,
    salutation,
    firstName: normalizeName(firstName ?? "") || null,
    lastName: normalizeName(lastName ?? "") || null,
    consents: JSON.stringify(consents),
    locked: Number(line.locked ?? false),
    demo: Number(line.demo ?? false),
  };
}

/** Replaces the hash of an unchanged password. If the password was changed in the meantime, that one stays. */
export async function replacePasswordHash(
  db: Database,
  { id, passwordHash: checked }: Pick<Account, "id" | "passwordHash">,
  passwordHash: string,
): Promise<void> {
  await db
    .updateTable("account")
    .set({ passwordHash })
    .where("id", "=", id)
    .where("passwordHash", "=", checked)
    .execute();
}

/** Changes some columns of an account. */
export async function updateAccount(db: Database, id: string, columns: Partial<Account>): Promise<void> {
  await db.updateTable("account").set(columns).where("id", "=", id).execute();
}

/** Sets a new password, which ends the sessions started with the old one. */
export async function setPassword(db: Database, id: string, password: string): Promise<void> {
  await setPasswordHash(db, id, await hashPassword(password));
}

/** Sets the hash of a new password, which ends the sessions started with the old one. */
export async function setPasswordHash(db: Database, id: string, passwordHash: string): Promise<void> {
  await updateAccount(db, id, { passwordHash });
  await endSessionsOf(db, id);
}

/** Locks an account, which ends its sessions. */
export async function lockAccount(db: Database, id: string): Promise<void> {
  await updateAccount(db, id, { locked: 1 });
  await endSessionsOf(db, id);
}

/** Removes an account with its sessions. */
export async function removeAccount(db: Database, id: string): Promise<void> {
  await db.deleteFrom("account").where("id", "=", id).execute();
}

/**
 * Removes the customer account of an address with its sessions, and the login attempts for the address.
 * @returns the number of removed accounts
 */
export async function eraseCustomer(db: Database, keys: SecretKeys, email: string): Promise<number> {
  for (const kind of ["customer", "staff"] as const)
    await createLoginThrottle(db, keys, kind).reset(loginNameOf(email));
  const account = await findAccount(db, "customer", email);
  if (!account) return 0;
  await removeAccount(db, account.id);
  return 1;
}
