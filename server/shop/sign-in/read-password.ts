import { text } from "node:stream/consumers";
import { StartError } from "../../errors.ts";

const passwordLength = { min: 8, max: 256 };

/**
 * Reads a password that an operator sets. It is the first line of what is piped in, as others on the machine can see
 * arguments.
 * @throws StartError when it is too short or too long
 */
export async function readPassword(): Promise<string> {
  const [password = ""] = (await text(process.stdin)).split(/\r?\n/, 1);
  const { min, max } = passwordLength;
  if (password.length < min || password.length > max)
    throw new StartError([`the password must have ${min} to ${max} characters; it is read from the standard input`]);
  return password;
}
