import { StartError } from "../../errors.ts";
import type { ReportEvent } from "../../security-events.ts";
import type { Database } from "../store/open-store.ts";
import type { Account, Accounts } from "./accounts.ts";
import { readNewAccount } from "./read-new-account.ts";
import { readPassword } from "./read-password.ts";

/** Acts on the account of an address, and returns a line that says what was done. */
type AccountCommand = (db: Database, address: string, report: ReportEvent) => Promise<string>;

interface AccountWords {
  /** What is said of an address with an account. */
  known: string;
  /** What is said of an address without one. */
  unknown: string;
  everybody: string;
}

/**
 * Creates what operators do with accounts of one kind. Each command throws StartError when it can't be done.
 * @param name - the first word of the commands
 */
export function createAccountCommands(
  name: string,
  accounts: Omit<Accounts, "keepHash" | "admitDemo" | "lockDemo">,
  words: AccountWords,
): Record<string, AccountCommand> {
  const { kind } = accounts;
  return {
    async [`${name} add`](db, address) {
      const { email, password } = await readNewAccount(address);
      if (!(await accounts.add(db, { email, password }))) throw new StartError([`${email} ${words.known}`]);
      return `${email} added`;
    },
    async [`${name} password`](db, address, report) {
      const account = await accountOf(db, address);
      await accounts.setPassword(db, account, await readPassword());
      report({ event: "authn_password_change", kind, account: account.loginName });
      return `${account.email} has a new password, and is signed out everywhere`;
    },
    async [`${name} sign-out`](db, address, report) {
      const account = await accountOf(db, address);
      await accounts.signOut(db, account);
      report({ event: "authn_token_revoked", kind, account: account.loginName });
      return `${account.email} signed out everywhere`;
    },
    async [`${name} sign-out-all`](db, _none, report) {
      await accounts.signOutAll(db);
      report({ event: "authn_token_revoked", kind });
      return `${words.everybody} signed out everywhere`;
    },
    async [`${name} lock`](db, address, report) {
      const account = await accountOf(db, address);
      await accounts.setLocked(db, account, true);
      report({ event: "authn_login_lock", kind, account: account.loginName, reason: "command" });
      return `${account.email} locked, and signed out everywhere`;
    },
    async [`${name} unlock`](db, address, report) {
      const account = await accountOf(db, address);
      await accounts.setLocked(db, account, false);
      report({ event: "authn_login_unlock", kind, account: account.loginName });
      return `${account.email} unlocked`;
    },
    async [`${name} remove`](db, address) {
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
