import type { Moment } from "../../../client/rules/time.ts";
import { toIso, toIsoOrNull } from "../../format-time.ts";
import type { Database } from "../store/open-store.ts";
import { openSenderTokens } from "./sender-tokens.ts";
import type { State } from "./states.ts";
import { type Subscriber, toSubscriber } from "./subscriber.ts";

export interface ExportFilter {
  /** Code of the one site to export; undefined exports all. */
  site?: string | undefined;
  /** Exports what has changed at this moment or later. */
  since?: Moment | undefined;
  statuses: readonly State[];
}

/** A subscription as it is exported. Times are ISO 8601 in UTC. */
export interface ExportedSubscriber extends Subscriber {
  status: State;
  signedUpAt: string;
  changedAt: string;
  sendingStoppedAt: string | null;
  /** Only where tokens are asked for; null where there is nothing to report or to end. */
  token?: string | null;
}

/** How many subscriptions are read at once, however many there are. */
const batch = 1000;

/**
 * Reads subscriptions in the order of their ids. What changes meanwhile is read as it is then; each one that is there
 * all the time is read once.
 * @param withTokens - whether each confirmed one comes with the token of whoever sends the newsletter
 */
export async function* exportSubscribers(
  db: Database,
  { site, since, statuses }: ExportFilter,
  withTokens: boolean,
): AsyncGenerator<ExportedSubscriber[]> {
  const tokens = withTokens ? await openSenderTokens(db) : undefined;
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
      .limit(batch)
      .execute();
    const confirmed = rows.filter(({ state }) => state === "confirmed").map(({ id }) => id);
    await tokens?.admit(db, confirmed);
    const tokenOf = ({ id, state }: { id: string; state: State }) =>
      tokens && { token: state === "confirmed" ? tokens.tokenOf(id) : null };
    yield rows.map((row) => ({
      ...toSubscriber(row),
      status: row.state,
      signedUpAt: toIso(row.requestedAt),
      changedAt: toIso(row.changedAt),
      sendingStoppedAt: toIsoOrNull(row.sendingStoppedAt),
      ...tokenOf(row),
    }));
    last = rows.at(-1)?.id ?? last;
    isMore = rows.length === batch;
  }
}
