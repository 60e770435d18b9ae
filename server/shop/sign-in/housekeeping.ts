import type { Moment } from "../../../client/rules/time.ts";
import type { Database } from "../store/open-store.ts";
import { keyName, keyPrefix, liveKeyIds } from "./token-keys.ts";

/** How many rows of each kind a run takes at most; the next run takes the others. */
const batch = 10_000;

/**
 * Removes what is over at a time: sessions, tries of passwords, budgets of networks, and keys with which nothing that is
 * still good was signed.
 * @param sessions - the table of the customers' sessions or of those of staff; all else is common to both
 */
export async function keepSignIns(db: Database, sessions: "loginSession" | "staffSession", at: Moment): Promise<void> {
  await db
    .deleteFrom(sessions)
    .where("id", "in", (query) => query.selectFrom(sessions).select("id").where("expiresAt", "<=", at).limit(batch))
    // The session may have been renewed since it was found.
    .where("expiresAt", "<=", at)
    .execute();
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
