import { emailPattern, maxEmailLength, normalizeEmail } from "../../../client/rules/email.ts";
import { StartError } from "../../errors.ts";
import type { NewAccount } from "./accounts.ts";
import { readPassword } from "./read-password.ts";

/**
 * Reads address and password of an account that an operator adds.
 * @throws StartError when the address or the password is wrong
 */
export async function readNewAccount(address: string): Promise<NewAccount> {
  const email = normalizeEmail(address);
  if (!emailPattern.test(email) || email.length > maxEmailLength) throw new StartError([`${address} is no address`]);
  return { email, password: await readPassword() };
}
