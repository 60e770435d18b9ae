import { text } from "node:stream/consumers";
import { emailPattern, maxEmailLength, normalizeEmail } from "../../../client/rules/email.ts";
import { StartError } from "../../errors.ts";
import type { NewAccount } from "./accounts.ts";

const passwordLength = { min: 8, max: 256 };

/**
 * Reads address and password of an account that an operator adds. The password is the first line of what is piped in,
 * as others on the machine can see arguments.
 * @throws StartError when the address or the password is wrong
 */
export async function readNewAccount(address: string): Promise<NewAccount> {
  const email = normalizeEmail(address);
  if (!emailPattern.test(email) || email.length > maxEmailLength) throw new StartError([`${address} is no address`]);
  const [password = ""] = (await text(process.stdin)).split(/\r?\n/, 1);
  const { min, max } = passwordLength;
  if (password.length < min || password.length > max)
    throw new StartError([`the password must have ${min} to ${max} characters; it is read from the standard input`]);
  return { email, password };
}
