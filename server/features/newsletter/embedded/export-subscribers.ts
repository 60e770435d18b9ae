import type { Moment } from "../../../../client/rules/time.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import { toIso, toIsoOrNull } from "../../../platform/time.ts";
import type { Database } from "../../../store/open-store.ts";
import { exportProofs } from "./consent-export.tsx";
import type { State } from "./newsletter-tables.ts";
import { createSenderTokens, toSubscriber } from "./subscriptions.ts";

interface ExportOptions {
  /** Code of the one site to export; undefined exports all. */
  site?: string | undefined;
  /** Exports subscriptions that changed at this moment or later. */
  since?: Moment | undefined;
  statuses: readonly State[];
  /** Includes the proof of consent, vouchers and the last opening, for another store. */
  proof?: boolean | undefined;
}

/** Subscriptions per query. */
const pageSize = 1000;

/**
 * Reads subscriptions page by page, ordered by id: each that exists throughout is read once. Times are ISO 8601 in UTC.
 * @param keys - given to include the sender's token, which is null unless the subscription is confirmed
 */
export async function* exportSubscribers(
  db: Database,
  { site, since, statuses, proof = false }: ExportOptions,
  keys: SecretKeys | undefined,
) {
  const tokens = keys && createSenderTokens(keys);
  let last = "";
  for (let isMore = true; isMore; ) {
    const rows = await db
      .selectFrom("newsletterSubscription")
      .selectAll()
      .where("id", ">", last)
      .where("state", "in", statuses)
      .$if(site !== undefined, (query) => query.where("site", "=", site ?? ""))
      .$if(since !== undefined, (query) => query.where("changedAt", ">=", since ?? 0))
      .orderBy("id")
      .limit(pageSize)
      .execute();
    const confirmed = rows.filter(({ state }) => state === "confirmed").map(({ id }) => id);
    await tokens?.activate(db, confirmed);
    const proofOf = proof ? await exportProofs(db, rows) : undefined;
    yield rows.map((row) => ({
      ...toSubscriber(row),
      status: row.state,
      signedUpAt: toIso(row.requestedAt),
      changedAt: toIso(row.changedAt),
      sendingStoppedAt: toIsoOrNull(row.sendingStoppedAt),
      ...(tokens && { token: row.state === "confirmed" ? tokens.tokenOf(row.id) : null }),
      ...(proofOf && { lastOpenedAt: toIsoOrNull(row.lastOpenedAt), ...proofOf(row.id) }),
    }));
    last = rows.at(-1)?.id ?? last;
    isMore = rows.length === pageSize;
  }
}
