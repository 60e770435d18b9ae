import { argon2, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { bulkhead } from "cockatiel";

const deriveByArgon2 = promisify(argon2);
const deriveByScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * The second of OWASP's choices, with memory in KiB:
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 };
/** How the hashes that this service makes begin. */
const ownPrefix = `$argon2id$v=19$m=${parameters.memory},t=${parameters.passes},p=${parameters.parallelism}$`;
const lengths = { salt: 16, hash: 32 };
/** The most that an imported hash may need: KiB of memory, and KiB written in all passes, which take about a second. */
const limits = { memory: 131_072, written: 1_048_576, parallelism: 16 };
/** Two hashes run at once, in half of Node's threads and 40 MB (imported ones in more); 40 more wait about a second. */
const lanes = bulkhead(2, 40);

/** The PHC string format: https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md */
const phc =
  /^\$(?:argon2id\$v=19\$m=(?<memory>\d{1,9}),t=(?<passes>\d{1,9}),p=(?<parallelism>\d{1,3})|scrypt\$ln=(?<cost>\d{1,2}),r=(?<blocks>\d{1,3}),p=(?<runs>\d{1,3}))\$(?<salt>[A-Za-z\d+/]{11,86})\$(?<hash>[A-Za-z\d+/]{22,86})$/;

/** A hash that no password matches. Checking it takes as long as checking any other. */
export const dummyHash = encode(randomBytes(lengths.salt), randomBytes(lengths.hash));

/**
 * Hashes a password for the store.
 * @throws BulkheadRejectedError when too many are being hashed
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(lengths.salt);
  const derivation = { ...parameters, message: normalize(password), nonce, tagLength: lengths.hash };
  return encode(nonce, await lanes.execute(() => deriveByArgon2("argon2id", derivation)));
}

/**
 * Checks a password against a hash.
 * @returns `right`, and `outdated` when the hash was made in another way than `hashPassword` makes it
 * @throws BulkheadRejectedError when too many are being hashed
 */
export async function checkPassword(password: string, text: string): Promise<{ right: boolean; outdated: boolean }> {
  const hash = parseHash(text);
  if (!hash) throw new Error("the stored hash can't be read");
  const normalized = normalize(password);
  // Other services may have hashed an imported password as it was typed.
  for (const message of new Set([normalized, password])) {
    const derived = await lanes.execute(() => hash.derive(message));
    if (timingSafeEqual(derived, hash.expected))
      return { right: true, outdated: !text.startsWith(ownPrefix) || message !== normalized };
  }
  return { right: false, outdated: false };
}

/** Whether a text is a hash that `checkPassword` can check, with parameters within the limits. */
export function isPasswordHash(text: string): boolean {
  const { memory = 0, passes = 0, parallelism = 0 } = parseHash(text) ?? {};
  const isLowEnough = memory <= limits.memory && memory * passes <= limits.written && parallelism <= limits.parallelism;
  // The minimum of RFC 9106; scrypt needs more for any parameters.
  return isLowEnough && passes > 0 && parallelism > 0 && memory >= 8 * parallelism;
}

/** Reads how a hash was made; undefined when the text is in no known form. */
function parseHash(text: string) {
  const { salt, hash, memory, passes, parallelism, cost, blocks, runs } = phc.exec(text)?.groups ?? {};
  if (salt === undefined || hash === undefined) return undefined;
  const [nonce, expected] = [Buffer.from(salt, "base64"), Buffer.from(hash, "base64")];
  if (cost === undefined) {
    const used = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    const derive = (message: string) =>
      deriveByArgon2("argon2id", { ...used, message, nonce, tagLength: expected.length });
    return { ...used, expected, derive };
  }
  const options = { N: 2 ** Number(cost), r: Number(blocks), p: Number(runs), maxmem: 2 * 1024 * limits.memory };
  const derive = (message: string) => deriveByScrypt(message, nonce, expected.length, options);
  // RFC 7914: 128 bytes per block and unit of cost, for one run after the other.
  return { memory: (options.N * options.r) / 8, passes: options.p, parallelism: 1, expected, derive };
}

/**
 * Keyboards may send different characters for the same password:
 * https://pages.nist.gov/800-63-4/sp800-63b.html#passwordver
 */
function normalize(password: string): string {
  return password.normalize("NFKC");
}

function encode(salt: Buffer, derived: Buffer): string {
  const [saltText, hashText] = [salt, derived].map((bytes) => bytes.toString("base64").replace(/=+$/, ""));
  return `${ownPrefix}${saltText}$${hashText}`;
}
