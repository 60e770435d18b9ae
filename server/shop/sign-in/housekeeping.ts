import type { Moment } from "../../../client/rules/time.ts";
import type { Database } from "../store/open-store.ts";
import { keyName, keyPrefix, liveKeyIds } from "./token-keys.ts";

/** How many rows of each kind a run takes at most; the next run takes the others. */
const batch = 10_000;

/**
 * Removes what is over at a time: sessions of customers and staff, tries of passwords, budgets of networks, and keys with
 * which nothing that is still good was signed.
 */
export async function keepSignIns(db: Database, at: Moment): Promise<void> {
  for (const table of ["loginSession", "staffSession"] as const) {
    await db
      .deleteFrom(table)
      .where("id", "in", (query) => query.selectFrom(table).select("id").where("expiresAt", "<=", at).limit(batch))
      // Meanwhile it may have been renewed.
      .where("expiresAt", "<=", at)
      .execute();
  }
  for (const table of ["loginThrottle", "rateLimit"] as const) {
    await db
      .deleteFrom(table)
      .where("key", "in", (query) => query.selectFrom(table).select("key").where("expiresAt", "<=", at).limit(batch))
      .where("expiresAt", "<=", at)
      .execute();
  }
  await db
    .deleteFrom("serviceKey")
    .where("name", "like", `${keyPrefix}%`)
    .where("name", "not in", Object.values(liveKeyIds(at)).map(keyName))
    .execute();
}
