import { StartError } from "../../errors.ts";
import type { Database } from "../store/open-store.ts";
import { readNewAccount } from "./read-new-account.ts";

/** Does something with the account of an address, and returns a line that says what was done. */
type AccountCommand = (db: Database, address: string) => Promise<string>;

interface Account {
  id: string;
  email: string;
}

interface Accounts {
  find(db: Database, address: string): Promise<Account | undefined>;
  /** Tells whether it was added. */
  add(db: Database, account: { email: string; password: string }): Promise<boolean>;
  setLocked(db: Database, account: Account, locked: boolean): Promise<void>;
  remove(db: Database, account: Account): Promise<void>;
  /** What is said of an address with an account, and of one without. */
  words: { known: string; unknown: string };
}

/**
 * What operators do with accounts of a kind. Each command throws StartError when it can't be done.
 * @param kind - the first word of the commands
 */
export function createAccountCommands(
  kind: string,
  { find, add, setLocked, remove, words }: Accounts,
): Record<string, AccountCommand> {
  return {
    async [`${kind} add`](db, address) {
      const { email, password } = await readNewAccount(address);
      if (!(await add(db, { email, password }))) throw new StartError([`${email} ${words.known}`]);
      return `${email} added`;
    },
    async [`${kind} lock`](db, address) {
      const account = await accountOf(db, address);
      await setLocked(db, account, true);
      return `${account.email} locked, and signed out everywhere`;
    },
    async [`${kind} unlock`](db, address) {
      const account = await accountOf(db, address);
      await setLocked(db, account, false);
      return `${account.email} unlocked`;
    },
    async [`${kind} remove`](db, address) {
      const account = await accountOf(db, address);
      await remove(db, account);
      return `${account.email} removed`;
    },
  };

  async function accountOf(db: Database, address: string): Promise<Account> {
    const account = await find(db, address);
    if (!account) throw new StartError([`${address} ${words.unknown}`]);
    return account;
  }
}
