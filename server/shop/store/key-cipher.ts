import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** Encrypts the keys of the store. */
export interface KeyCipher {
  /** Encrypts a key by the first key-encryption key. It can be decrypted under its own name only. */
  encrypt(name: string, secret: Buffer): string;
  /** Decrypts a key by whichever key-encryption key it was encrypted with; undefined when that is none of them. */
  decrypt(name: string, encrypted: string): Buffer | undefined;
}

const algorithm = "aes-256-gcm";
/** Lengths in bytes: https://csrc.nist.gov/pubs/sp/800/38/d/final, sections 5.2.1.1 and 5.2.1.2 */
const lengths = { nonce: 12, tag: 16 };

/** @param keys - the key-encryption keys of 32 bytes each */
export function createKeyCipher(keys: readonly [Buffer, ...Buffer[]]): KeyCipher {
  return {
    encrypt(name, secret) {
      const nonce = randomBytes(lengths.nonce);
      const cipher = createCipheriv(algorithm, keys[0], nonce, { authTagLength: lengths.tag }).setAAD(
        Buffer.from(name),
      );
      const encrypted = [cipher.update(secret), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...encrypted]).toString("base64url");
    },
    decrypt(name, encrypted) {
      const bytes = Buffer.from(encrypted, "base64url");
      for (const key of keys) {
        const secret = decryptBy(key, name, bytes);
        if (secret) return secret;
      }
      return undefined;
    },
  };
}

function decryptBy(key: Buffer, name: string, bytes: Buffer): Buffer | undefined {
  const content = lengths.nonce + lengths.tag;
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, lengths.nonce), { authTagLength: lengths.tag })
    .setAAD(Buffer.from(name))
    .setAuthTag(bytes.subarray(lengths.nonce, content));
  const secret = decipher.update(bytes.subarray(content));
  try {
    return Buffer.concat([secret, decipher.final()]);
  } catch {
    return undefined;
  }
}
