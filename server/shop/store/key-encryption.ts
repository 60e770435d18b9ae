import type { Kysely, KyselyPlugin, PluginTransformQueryArgs, PluginTransformResultArgs } from "kysely";
import { StartError } from "../../errors.ts";
import type { KeyCipher } from "./key-cipher.ts";
import type { Tables } from "./tables.ts";

/** Carries the cipher of a database's keys to wherever the database and its transactions are passed. */
export class KeyEncryption implements KyselyPlugin {
  readonly cipher: KeyCipher;

  constructor(cipher: KeyCipher) {
    this.cipher = cipher;
  }

  transformQuery({ node }: PluginTransformQueryArgs) {
    return node;
  }

  async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

/** Encrypts a key for the store. */
export function encryptKey(db: Kysely<Tables>, name: string, secret: Buffer): string {
  return cipherOf(db).encrypt(name, secret);
}

/**
 * Decrypts a key of the store.
 * @throws StartError when none of the key-encryption keys is the one that it was encrypted with
 */
export function decryptKey(db: Kysely<Tables>, name: string, encrypted: string): Buffer {
  const secret = cipherOf(db).decrypt(name, encrypted);
  if (secret) return secret;
  throw new StartError([
    `store: its key ${name} can't be decrypted: KEY_ENCRYPTION_KEY, or the file in its place, must hold the key-encryption key of whoever made it`,
  ]);
}

function cipherOf(db: Kysely<Tables>): KeyCipher {
  const carrier = db.getExecutor().plugins.find((plugin) => plugin instanceof KeyEncryption);
  if (!carrier) throw new Error("the database was opened without a cipher");
  return carrier.cipher;
}
