import { randomBytes } from "node:crypto";
import type { Database } from "../store/open-store.ts";
import type { Accounts, NewAccount } from "./accounts.ts";
import { checkPassword } from "./password-hash.ts";

/**
 * Adds an account of the demo unless it is there, and returns whether it has the password now. One that is there can
 * sign in again. With `reset`, it gets the password, too. Several replicas may do so at once.
 */
export type SeedDemoAccount = (db: Database, password: string, reset: boolean) => Promise<boolean>;

/**
 * Creates the function that adds an account of the demo.
 * @param profile - all that the account is told but the password
 */
export function createDemoAccountSeed<Profile>(
  accounts: Accounts<Profile>,
  profile: Pick<NewAccount, "email"> & Profile,
): SeedDemoAccount {
  return async (db, password, reset) => {
    if (await accounts.add(db, { ...profile, password, isDemo: true })) return true;
    const account = await accounts.find(db, profile.email);
    if (!account) return false;
    // An operator's own account becomes one of the demo when it gets the demo's password.
    if (reset || account.demo === 1) await accounts.admitDemo(db, account);
    if (!reset) return false;
    const { right } = await checkPassword(password, account.passwordHash);
    if (!right) await accounts.setPassword(db, account, password);
    return true;
  };
}

export function createDemoPassword(): string {
  return randomBytes(9).toString("base64url");
}
