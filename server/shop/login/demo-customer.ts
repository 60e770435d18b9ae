import { randomBytes } from "node:crypto";
import { checkPassword } from "../sign-in/password-hash.ts";
import type { Database } from "../store/open-store.ts";
import { addAccount, findAccount, setPassword } from "./accounts.ts";

export const demoCustomer = {
  email: "demo@example.com",
  salutation: "MRS",
  firstName: "Erika",
  lastName: "Mustermann",
} as const;

export function createDemoPassword(): string {
  return randomBytes(9).toString("base64url");
}

/**
 * Adds the demo's customer, unless it is there; several replicas may do so at once.
 * @param reset - gives one who is there the password, too
 * @returns whether the customer has the password now
 */
export async function seedDemoCustomer(db: Database, password: string, reset: boolean): Promise<boolean> {
  const added = await addAccount(db, { ...demoCustomer, password });
  if (added || !reset) return added;
  const account = await findAccount(db, demoCustomer.email);
  if (!account) return false;
  const { right } = await checkPassword(password, account.passwordHash);
  if (!right) await setPassword(db, account, password);
  return true;
}
