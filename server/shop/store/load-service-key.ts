import { randomBytes } from "node:crypto";
import type { Database } from "./open-store.ts";

/**
 * Loads a secret of 256 bits that all replicas share. The first replica that asks for it makes it.
 * @param name - the purpose of the key, which serves no other
 */
export async function loadServiceKey(db: Database, name: string): Promise<Buffer> {
  await db
    .insertInto("serviceKey")
    .values({ name, secret: randomBytes(32).toString("base64url") })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { secret } = await db
    .selectFrom("serviceKey")
    .select("secret")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return Buffer.from(secret, "base64url");
}
