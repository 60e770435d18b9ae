import { StartError } from "../../errors.ts";
import type { Database } from "../store/open-store.ts";
import { addAccount, findAccount, removeAccount, setLocked } from "./accounts.ts";
import { readNewAccount } from "./read-new-account.ts";

/**
 * What operators do with the account of an address. Each returns a line that says what was done.
 * @throws StartError when it can't be done
 */
export const accountCommands = {
  async "account add"(db: Database, address: string): Promise<string> {
    const { email, password } = await readNewAccount(address);
    if (!(await addAccount(db, { email, password }))) throw new StartError([`${email} has an account`]);
    return `${email} added`;
  },
  async "account lock"(db: Database, address: string): Promise<string> {
    const account = await accountOf(db, address);
    await setLocked(db, account, true);
    return `${account.email} locked, and signed out everywhere`;
  },
  async "account unlock"(db: Database, address: string): Promise<string> {
    const account = await accountOf(db, address);
    await setLocked(db, account, false);
    return `${account.email} unlocked`;
  },
  async "account remove"(db: Database, address: string): Promise<string> {
    const account = await accountOf(db, address);
    await removeAccount(db, account);
    return `${account.email} removed`;
  },
};

async function accountOf(db: Database, address: string) {
  const account = await findAccount(db, address);
  if (!account) throw new StartError([`${address} has no account`]);
  return account;
}
