import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "./errors.ts";
import { formats } from "./formats.ts";
import { publishFile } from "./publish-file.ts";

/** The service's keys, one per secret and purpose. They are derived from the secrets, and not stored. */
export interface SecretKeys {
  /** Derives the 32-byte key that signs and hashes. */
  signing(purpose: string): Buffer;
  /** Derives all keys that verify: first the one that signs, then those of earlier secrets. */
  verifying(purpose: string): readonly Buffer[];
}

/** The environment's settings for the secrets. */
interface SecretSettings {
  secretKey: string | undefined;
  secretKeyFile: string | undefined;
  dataDir: string;
}

/** Separates our keys from those that another program derives from the same secret. */
const salt = "storefront-fragments";

/**
 * @param secrets - the first one signs and hashes, all verify
 */
function createSecretKeys(secrets: readonly [Buffer, ...Buffer[]]): SecretKeys {
  return {
    signing: (purpose) => deriveKey(secrets[0], purpose),
    verifying: (purpose) => secrets.map((secret) => deriveKey(secret, purpose)),
  };
}

function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, purpose, 32));
}

/** Hashes a text with a key, in Base64url. */
export function hmac(key: Buffer, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

/**
 * Loads the secrets from the environment. If there are none, a file in the data folder holds one. It is created when
 * the first key is requested, because a service without embedded services needs neither keys nor a writable folder.
 * @param settings - `secretKey` is a valid list of secrets
 * @throws StartError if SECRET_KEY_FILE can't be read or contains no secrets
 */
export function loadSecretKeys({ secretKey, secretKeyFile, dataDir }: SecretSettings): SecretKeys {
  if (secretKey !== undefined) return createSecretKeys(decode(secretKey));
  if (secretKeyFile !== undefined) return createSecretKeys(readSecrets(secretKeyFile));
  let keys: SecretKeys | undefined;
  const load = () => {
    keys ??= createSecretKeys(readOwnSecret(dataDir));
    return keys;
  };
  return { signing: (purpose) => load().signing(purpose), verifying: (purpose) => load().verifying(purpose) };
}

/** If several processes create the file at once, all read the content of the first. */
function readOwnSecret(dataDir: string) {
  const file = join(dataDir, "secret.key");
  try {
    if (!existsSync(file)) {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 });
      publishFile(file, (unfinished) => writeFileSync(unfinished, `${randomBytes(32).toString("base64url")}\n`));
    }
  } catch (error) {
    throw new StartError([`secret key: can't make ${file}: set SECRET_KEY (${messageOf(error)})`]);
  }
  return readSecrets(file);
}

function readSecrets(file: string) {
  const format = formats["secret-list"];
  try {
    const list = readFileSync(file, "utf8").trim();
    if (format?.validate(list)) return decode(list);
  } catch (error) {
    throw new StartError([`secret key: can't read ${file} (${messageOf(error)})`]);
  }
  throw new StartError([`secret key: ${file} ${format?.message}`]);
}

/** Node reads both alphabets of Base64. */
function decode(list: string): [Buffer, ...Buffer[]] {
  const [first = "", ...others] = list.split(",");
  return [Buffer.from(first.trim(), "base64"), ...others.map((secret) => Buffer.from(secret.trim(), "base64"))];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
