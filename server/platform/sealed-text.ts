import { CompactEncrypt, compactDecrypt, errors } from "jose";
import type { SecretKeys } from "./secret-keys.ts";

/** Encrypts texts that the store keeps, but must not reveal: by AES-256-GCM, as a compact JWE. */
export function createSealedTexts(keys: SecretKeys, purpose: string) {
  const [sealing, opening] = [keys.signing(purpose), keys.verifying(purpose)];
  return {
    seal: (text: string): Promise<string> =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .encrypt(sealing),

    /** Decrypts a text; undefined if it was changed, or its secret was removed. */
    async open(sealed: string): Promise<string | undefined> {
      for (const key of opening) {
        try {
          const { plaintext } = await compactDecrypt(sealed, key, {
            keyManagementAlgorithms: ["dir"],
            contentEncryptionAlgorithms: ["A256GCM"],
          });
          return new TextDecoder().decode(plaintext);
        } catch (error) {
          // Another key may have sealed it.
          if (!(error instanceof errors.JOSEError)) throw error;
        }
      }
      return undefined;
    },
  };
}
