import { argon2, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { bulkhead } from "cockatiel";
import type { Milliseconds } from "../../client/rules/time.ts";

const deriveByArgon2 = promisify(argon2);
const deriveByScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * OWASP's second choice of parameters, with memory in KiB:
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
 */
const parameters = { memory: 19_456, passes: 2, parallelism: 1 };
/** The beginning of hashes that this service makes. */
const ownPrefix = `$argon2id$v=19$m=${parameters.memory},t=${parameters.passes},p=${parameters.parallelism}$`;
const lengths = { salt: 16, hash: 32 };
/** The most that an imported hash may need: KiB of memory, and lanes. `hash-cost.ts` limits its time. */
const limits = { memory: 131_072, parallelism: 16 };
/** Two hashes of the service's own kind run at once, in half of Node's threads and 40 MB. 40 more wait for a second. */
const ownLanes = bulkhead(2, 40);
/**
 * Two hashes of other kinds run at once, in the other threads. However many wait, they don't delay the service's own
 * kind.
 */
const olderLanes = bulkhead(2, 400);

/** The PHC string format: https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md */
const phc =
  /^\$(?:argon2id\$v=19\$m=(?<memory>\d{1,9}),t=(?<passes>\d{1,9}),p=(?<parallelism>\d{1,3})|scrypt\$ln=(?<cost>\d{1,2}),r=(?<blocks>\d{1,3}),p=(?<runs>\d{1,3}))\$(?<salt>[A-Za-z\d+/]{11,86})\$(?<hash>[A-Za-z\d+/]{22,86})$/;

/** A hash that no password matches, for addresses without an account. */
export const dummyHash = encode(randomBytes(lengths.salt), randomBytes(lengths.hash));

/**
 * Hashes a password for the store.
 * @throws BulkheadRejectedError if too many are being hashed
 */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(lengths.salt);
  return encode(nonce, await deriveOwn(normalize(password), nonce));
}

/** A password that was hashed once in the service's own way, which takes the same work for every stored hash. */
export interface PasswordCheck {
  /** Whether the stored hash is of the service's own kind and matches the password. */
  right: boolean;
  /** A hash of the password, to be stored if `checkOlder` finds the password right. */
  ownHash: string;
  /**
   * Checks what `right` doesn't cover: a hash with other parameters, or of a password as it was typed. Takes no time if
   * there is no such hash.
   * @throws BulkheadRejectedError if too many are being checked
   */
  checkOlder(): Promise<boolean>;
}

/**
 * Starts checking a password against a stored hash.
 * @throws BulkheadRejectedError if too many are being hashed
 */
export async function beginCheck(password: string, text: string): Promise<PasswordCheck> {
  const stored = parseHash(text);
  if (!stored) throw new Error("the stored hash can't be read");
  const isOwn = text.startsWith(ownPrefix) && stored.expected.length === lengths.hash;
  const normalized = normalize(password);
  const nonce = isOwn ? stored.nonce : randomBytes(lengths.salt);
  const derived = await deriveOwn(normalized, nonce);
  // Other services may have hashed a password as it was typed.
  const older = isOwn ? [] : [normalized];
  if (password !== normalized) older.push(password);
  return {
    right: isOwn && timingSafeEqual(derived, stored.expected),
    ownHash: encode(nonce, derived),
    async checkOlder() {
      const checks = older.map(async (message) =>
        timingSafeEqual(await olderLanes.execute(() => stored.derive(message)), stored.expected),
      );
      return (await Promise.all(checks)).includes(true);
    },
  };
}

/**
 * Checks a password against a stored hash, for commands and for the start.
 * @throws BulkheadRejectedError if too many are being hashed
 */
export async function checkPassword(password: string, text: string): Promise<boolean> {
  const check = await beginCheck(password, text);
  return check.right || check.checkOlder();
}

/** The durations of the latest hashes of the service's own kind. */
const lastDurations: Milliseconds[] = [];

/** Returns how long a hash of the service's own kind takes at present: the median of the latest ones. */
export function ownDuration(): Milliseconds {
  return lastDurations.toSorted((one, other) => one - other)[lastDurations.length >> 1] ?? 0;
}

/** Hashes a message in the service's own way, and measures it. */
function deriveOwn(message: string, nonce: Buffer): Promise<Buffer> {
  return ownLanes.execute(async () => {
    const startedAt = performance.now();
    const derived = await deriveByArgon2("argon2id", { ...parameters, message, nonce, tagLength: lengths.hash });
    lastDurations.push(performance.now() - startedAt);
    if (lastDurations.length > 25) lastDurations.shift();
    return derived;
  });
}

/** Reads the parameters of a hash; undefined if the text has no known form. */
function parseHash(text: string) {
  const { salt, hash, memory, passes, parallelism, cost, blocks, runs } = phc.exec(text)?.groups ?? {};
  if (salt === undefined || hash === undefined) return undefined;
  const [nonce, expected] = [Buffer.from(salt, "base64"), Buffer.from(hash, "base64")];
  if (cost === undefined) {
    const used = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    return {
      nonce,
      expected,
      memory: used.memory,
      parallelism: used.parallelism,
      rounds: used.passes,
      derive: (message: string, rounds = used.passes) =>
        deriveByArgon2("argon2id", { ...used, passes: rounds, message, nonce, tagLength: expected.length }),
    };
  }
  const options = { N: 2 ** Number(cost), r: Number(blocks), p: Number(runs), maxmem: 2 * 1024 * limits.memory };
  return {
    nonce,
    expected,
    // RFC 7914: 128 bytes per block and unit of cost, in runs one after the other.
    memory: (options.N * options.r) / 8,
    parallelism: 1,
    rounds: options.p,
    derive: (message: string, rounds = options.p) =>
      deriveByScrypt(message, nonce, expected.length, { ...options, p: rounds }),
  };
}

/**
 * Reads an imported hash.
 * @returns undefined if the service can't check it; otherwise `settings`, the part before salt and hash, and `derive`,
 * which hashes a message with up to `rounds` rounds
 */
export function readImportedHash(text: string) {
  const stored = parseHash(text);
  if (!stored) return undefined;
  const { memory, rounds, parallelism, derive } = stored;
  const isLowEnough = memory <= limits.memory && parallelism <= limits.parallelism;
  // The minimum of RFC 9106; scrypt needs more for any parameters.
  if (!isLowEnough || rounds === 0 || parallelism === 0 || memory < 8 * parallelism) return undefined;
  return { settings: text.split("$").slice(0, -2).join("$"), rounds, derive };
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
