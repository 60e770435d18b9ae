import { StartError } from "../../errors.ts";
import type { Database } from "../store/open-store.ts";
import type { Account, Accounts } from "./accounts.ts";
import { readNewAccount } from "./read-new-account.ts";

/** Acts on the account of an address, and returns a line that says what was done. */
type AccountCommand = (db: Database, address: string) => Promise<string>;

/**
 * Creates what operators do with accounts of one kind. Each command throws StartError when it can't be done.
 * @param kind - the first word of the commands
 * @param words - what is said of an address with an account, and of one without
 */
export function createAccountCommands(
  kind: string,
  accounts: Pick<Accounts, "find" | "add" | "setLocked" | "remove">,
  words: { known: string; unknown: string },
): Record<string, AccountCommand> {
  return {
    async [`${kind} add`](db, address) {
      const { email, password } = await readNewAccount(address);
      if (!(await accounts.add(db, { email, password }))) throw new StartError([`${email} ${words.known}`]);
      return `${email} added`;
    },
    async [`${kind} lock`](db, address) {
      const account = await accountOf(db, address);
      await accounts.setLocked(db, account, true);
      return `${account.email} locked, and signed out everywhere`;
    },
    async [`${kind} unlock`](db, address) {
      const account = await accountOf(db, address);
      await accounts.setLocked(db, account, false);
      return `${account.email} unlocked`;
    },
    async [`${kind} remove`](db, address) {
      const account = await accountOf(db, address);
      await accounts.remove(db, account);
      return `${account.email} removed`;
    },
  };

  async function accountOf(db: Database, address: string): Promise<Account> {
    const account = await accounts.find(db, address);
    if (!account) throw new StartError([`${address} ${words.unknown}`]);
    return account;
  }
}
