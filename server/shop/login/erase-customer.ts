import { loginNameOf } from "../sign-in/accounts.ts";
import { openThrottle } from "../sign-in/throttle.ts";
import type { Database } from "../store/open-store.ts";
import { customerAccounts } from "./customer-accounts.ts";

/**
 * Removes the account of an address with its sessions, and what is kept of the passwords that were tried for it.
 * @returns how many accounts there were
 */
export async function eraseCustomer(db: Database, email: string): Promise<number> {
  for (const kind of ["login", "staff"] as const) await (await openThrottle(db, kind)).forget(loginNameOf(email));
  const account = await customerAccounts.find(db, email);
  if (!account) return 0;
  await customerAccounts.remove(db, account);
  return 1;
}
