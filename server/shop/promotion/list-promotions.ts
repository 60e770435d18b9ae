import { toIso, toIsoOrNull } from "../../format-time.ts";
import type { Database } from "../store/open-store.ts";

/** Lists the promotions, the earliest first, with the group of an A/B test that sees one alone. */
export async function listPromotions(db: Database) {
  const rows = await db
    .selectFrom("promotion")
    .select(["id", "key", "site", "headline", "validFrom", "validTo", "test", "testGroup as group"])
    .orderBy("validFrom")
    .orderBy("id")
    .execute();
  return rows.map(({ validFrom, validTo, ...promotion }) => ({
    ...promotion,
    ...{ validFrom: toIso(validFrom), validTo: toIsoOrNull(validTo) },
  }));
}
