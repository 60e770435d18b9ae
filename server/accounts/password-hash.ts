import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { bulkhead } from "cockatiel";

const hash = promisify(argon2);

/**
 * The second of OWASP's choices, with memory in KiB:
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 };
const lengths = { salt: 16, hash: 32 };
/** Two hashes run at once, in half of Node's threads and 40 MB; 40 more wait about a second. */
const lanes = bulkhead(2, 40);

/** The PHC string format: https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md */
const phc =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<salt>[A-Za-z\d+/]+)\$(?<hash>[A-Za-z\d+/]+)$/;

/** A hash that no password matches. Checking it takes as long as checking any other. */
export const dummyHash = encode(randomBytes(lengths.salt), randomBytes(lengths.hash));

/**
 * Hashes a password for the store.
 * @throws BulkheadRejectedError when too many are being hashed
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(lengths.salt);
  return encode(salt, await derive(password, { ...parameters, salt, length: lengths.hash }));
}

/**
 * Checks a password against a hash.
 * @returns `right`, and `outdated` when the hash was made with other parameters than the current ones
 * @throws BulkheadRejectedError when too many are being hashed
 */
export async function checkPassword(password: string, text: string): Promise<{ right: boolean; outdated: boolean }> {
  const { memory, passes, parallelism, salt = "", hash = "" } = phc.exec(text)?.groups ?? {};
  const expected = Buffer.from(hash, "base64");
  const used = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const derived = await derive(password, { ...used, salt: Buffer.from(salt, "base64"), length: expected.length });
  const outdated = Object.entries(parameters).some(([name, value]) => used[name as keyof typeof used] !== value);
  return { right: timingSafeEqual(derived, expected), outdated };
}

type Derivation = typeof parameters & { salt: Buffer; length: number };

function derive(password: string, { salt, length, ...settings }: Derivation): Promise<Buffer> {
  // Keyboards may send different characters for the same password:
  // https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver
  const message = password.normalize("NFKC");
  return lanes.execute(() => hash("argon2id", { message, nonce: salt, tagLength: length, ...settings }));
}

function encode(salt: Buffer, derived: Buffer): string {
  const { memory, passes, parallelism } = parameters;
  const [saltText, hashText] = [salt, derived].map((bytes) => bytes.toString("base64").replace(/=+$/, ""));
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${saltText}$${hashText}`;
}
