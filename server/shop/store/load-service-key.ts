import { randomBytes } from "node:crypto";
import type { Kysely } from "kysely";
import { decryptKey, encryptKey } from "./key-encryption.ts";
import type { Tables } from "./tables.ts";

/**
 * Loads a secret of 256 bits that all replicas share. The first replica that asks for it makes it.
 * @param name - the purpose of the key, which serves no other
 * @throws StartError when it is encrypted with a key-encryption key that isn't here
 */
export async function loadServiceKey(db: Kysely<Tables>, name: string): Promise<Buffer> {
  const found = await findServiceKey(db, name);
  if (found) return found;
  await addServiceKey(db, name, randomBytes(32));
  // Another replica may have been first.
  return loadServiceKey(db, name);
}

/**
 * Finds a secret that all replicas share; undefined when none of them has made it.
 * @throws StartError when it is encrypted with a key-encryption key that isn't here
 */
export async function findServiceKey(db: Kysely<Tables>, name: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom("encryptedKey").select("secret").where("name", "=", name).executeTakeFirst();
  return row && decryptKey(db, name, row.secret);
}

/** Keeps a secret, unless there is one of its name. */
export async function addServiceKey(db: Kysely<Tables>, name: string, secret: Buffer): Promise<void> {
  await db
    .insertInto("encryptedKey")
    .values({ name, secret: encryptKey(db, name, secret) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
