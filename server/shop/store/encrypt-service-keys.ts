import type { Kysely } from "kysely";
import { decryptKey, encryptKey } from "./key-encryption.ts";
import { addServiceKey } from "./load-service-key.ts";
import type { Tables } from "./tables.ts";

/** Tells whether the store has keys that are encrypted. */
export async function hasEncryptedKeys(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom("encryptedKey").select("name").limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Checks that the store's keys can be decrypted.
 * @throws StartError when one of them is encrypted with a key-encryption key that isn't here
 */
export async function checkServiceKeys(db: Kysely<Tables>): Promise<void> {
  const keys = await db.selectFrom("encryptedKey").selectAll().execute();
  for (const { name, secret } of keys) decryptKey(db, name, secret);
}

/**
 * Encrypts the keys that an earlier release has kept in clear, and removes them as they were. Where there is an encrypted
 * one of the same name, it stays: the one in clear was made by an earlier release that ran meanwhile.
 * @returns how many there were
 */
export async function encryptEarlierKeys(db: Kysely<Tables>): Promise<number> {
  const earlier = await db.selectFrom("serviceKey").selectAll().execute();
  if (earlier.length === 0) return 0;
  await db.transaction().execute(async (transaction) => {
    for (const { name, secret } of earlier) {
      await addServiceKey(transaction, name, Buffer.from(secret, "base64url"));
      await transaction.deleteFrom("serviceKey").where("name", "=", name).execute();
    }
  });
  return earlier.length;
}

/** Encrypts all keys of the store anew, by the first key-encryption key. */
export async function encryptKeysAnew(db: Kysely<Tables>): Promise<void> {
  const keys = await db.selectFrom("encryptedKey").selectAll().execute();
  for (const { name, secret } of keys) {
    await db
      .updateTable("encryptedKey")
      .set({ secret: encryptKey(db, name, decryptKey(db, name, secret)) })
      .where("name", "=", name)
      .execute();
  }
}
