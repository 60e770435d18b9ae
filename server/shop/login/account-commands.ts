import { text } from "node:stream/consumers";
import { emailPattern, maxEmailLength, normalizeEmail } from "../../../client/newsletter/rules.ts";
import { StartError } from "../../errors.ts";
import type { Database } from "../store/open-store.ts";
import { addAccount, findAccount, removeAccount, setLocked } from "./accounts.ts";

const passwordLength = { min: 8, max: 256 };

/**
 * What operators do with the account of an address. Each returns a line that says what was done.
 * @throws StartError when it can't be done
 */
export const accountCommands = {
  /** The password is the first line of what is piped in: arguments are seen by others on the machine. */
  async "account add"(db: Database, address: string): Promise<string> {
    const email = normalizeEmail(address);
    if (!emailPattern.test(email) || email.length > maxEmailLength) throw new StartError([`${address} is no address`]);
    const [password = ""] = (await text(process.stdin)).split(/\r?\n/, 1);
    const { min, max } = passwordLength;
    if (password.length < min || password.length > max)
      throw new StartError([`the password must have ${min} to ${max} characters; it is read from the standard input`]);
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
