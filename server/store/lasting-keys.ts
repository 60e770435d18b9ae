import { createCipheriv, createDecipheriv, createHash } from "node:crypto";
import type { Logger } from "../platform/logger.ts";
import type { SecretKeys } from "../platform/secret-keys.ts";
import type { Database } from "./open-store.ts";

declare module "./tables.ts" {
  interface Tables {
    lastingKey: LastingKeyTable;
  }
}

/** A derived key whose hashes outlast its secret. */
interface LastingKeyTable {
  /** SHA-256 of the key, in base64url. */
  id: string;
  purpose: string;
  /** The key, wrapped with a key derived from a secret, in base64url. */
  wrapped: string;
}

/** The purpose of the keys that wrap. */
const wrapping = "lasting-keys";

/**
 * Loads the keys of certain purposes, and stores those that the database doesn't have yet. What they have hashed is
 * found even after their secret was removed.
 * @returns `keys`, where those that verify include the keys of removed secrets
 * @throws Error of the database
 */
export async function loadLastingKeys(
  db: Database,
  keys: SecretKeys,
  purposes: readonly string[],
): Promise<SecretKeys> {
  const stored = await readKeys(db, keys);
  const known = new Set(stored.map(({ id }) => id));
  const derived = purposes.flatMap((purpose) => keys.verifying(purpose).map((key) => ({ purpose, key })));
  const missing = derived
    .map(({ purpose, key }) => ({ id: idOf(key), purpose, wrapped: wrap(keys.signing(wrapping), key) }))
    .filter(({ id }) => !known.has(id));
  if (missing.length > 0)
    await db
      .insertInto("lastingKey")
      .values(missing)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return {
    signing: keys.signing,
    verifying(purpose) {
      const own = keys.verifying(purpose);
      const ids = new Set(own.map(idOf));
      const removed = stored.filter((row) => row.purpose === purpose && !ids.has(row.id));
      return [...own, ...removed.flatMap(({ key }) => key ?? [])];
    },
  };
}

/**
 * Wraps the stored keys with the first secret, so that the others can be removed. Only for the service, because a
 * command may run with an earlier list of secrets.
 * @throws Error of the database
 */
export async function rewrapLastingKeys(db: Database, keys: SecretKeys, logger: Logger): Promise<void> {
  const rows = await readKeys(db, keys);
  for (const { id, key, wrapped } of rows) {
    const rewrapped = key && wrap(keys.signing(wrapping), key);
    if (rewrapped && rewrapped !== wrapped)
      await db.updateTable("lastingKey").set({ wrapped: rewrapped }).where("id", "=", id).execute();
  }
  const unreadable = rows.filter(({ key }) => !key).length;
  if (unreadable > 0) logger.warn({ keys: unreadable }, "suppressed mailboxes of a removed secret get email again");
}

/** Reads the stored keys, except those that are wrapped with an unknown secret. */
async function readKeys(db: Database, keys: SecretKeys) {
  const rows = await db.selectFrom("lastingKey").selectAll().execute();
  return rows.map((row) => ({ ...row, key: unwrap(keys.verifying(wrapping), row.wrapped) }));
}

function idOf(key: Buffer): string {
  return createHash("sha256").update(key).digest("base64url");
}

/** AES key wrap and its initial value: https://www.rfc-editor.org/rfc/rfc3394 */
const algorithm = "aes256-wrap";
const initialValue = Buffer.alloc(8, 0xa6);

/** Wraps a key, with the same result each time. */
function wrap(by: Buffer, key: Buffer): string {
  const cipher = createCipheriv(algorithm, by, initialValue);
  return Buffer.concat([cipher.update(key), cipher.final()]).toString("base64url");
}

/** @returns undefined if none of the keys has wrapped it */
function unwrap(keys: readonly Buffer[], wrapped: string): Buffer | undefined {
  for (const key of keys) {
    try {
      const decipher = createDecipheriv(algorithm, key, initialValue);
      return Buffer.concat([decipher.update(Buffer.from(wrapped, "base64url")), decipher.final()]);
    } catch {
      // Another key has wrapped it.
    }
  }
  return undefined;
}
