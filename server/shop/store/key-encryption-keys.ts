import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StartError } from "../../errors.ts";
import { formats } from "../../formats.ts";
import { publishFile } from "./publish-file.ts";

/** Where the key-encryption keys come from: the variables of docs/configure.md, else a file in the data folder. */
export interface KeyEncryptionOptions {
  keyEncryptionKey?: string | undefined;
  keyEncryptionKeyFile?: string | undefined;
  dataDir: string;
}

type Keys = [Buffer, ...Buffer[]];

/**
 * Reads the key-encryption keys, of which the first encrypts. Where none is configured, it is a file in the data folder,
 * which is made when it is missing.
 * @param isNeeded - whether something is encrypted already, so that a new key would be of no use
 * @throws StartError when there is no key, or what is there is none
 */
export function readKeyEncryptionKeys(options: KeyEncryptionOptions, isNeeded: boolean): Keys {
  const { keyEncryptionKey, keyEncryptionKeyFile, dataDir } = options;
  if (keyEncryptionKey !== undefined) return parse(keyEncryptionKey, "KEY_ENCRYPTION_KEY");
  if (keyEncryptionKeyFile !== undefined) return readKeys(keyEncryptionKeyFile);
  const file = join(dataDir, "key-encryption.key");
  if (!existsSync(file)) {
    if (isNeeded)
      throw new StartError([
        `store: its keys are encrypted, and ${file} is missing: put it back, or set KEY_ENCRYPTION_KEY to what it holds`,
      ]);
    makeKey(dataDir, file);
  }
  return readKeys(file);
}

function readKeys(file: string): Keys {
  try {
    return parse(readFileSync(file, "utf8").trim(), file);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError([`store: can't read the key-encryption key (${messageOf(error)})`]);
  }
}

/** Makes a key. Of several processes that do so at once, all read what the first has made. */
function makeKey(folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    publishFile(file, (unfinished) => writeFileSync(unfinished, `${randomBytes(32).toString("base64url")}\n`));
  } catch (error) {
    throw new StartError([`store: can't make a key-encryption key: set KEY_ENCRYPTION_KEY (${messageOf(error)})`]);
  }
}

function parse(list: string, place: string): Keys {
  const format = formats["key-list"];
  if (!format?.validate(list)) throw new StartError([`store: ${place} ${format?.message}`]);
  const [first = "", ...others] = list.split(",");
  return [decode(first), ...others.map(decode)];
}

/** Node reads both alphabets of Base64. */
function decode(key: string): Buffer {
  return Buffer.from(key.trim(), "base64");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
