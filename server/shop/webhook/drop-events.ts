import type { Moment } from "../../../client/rules/time.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";

/**
 * Removes the events that wait for an address on a site, as they hold what is known of a subscriber who is erased.
 * @returns until when one of them may be under way; undefined when none is
 */
export async function dropEvents(
  transaction: StoreTransaction,
  { email, site }: { email: string; site: string },
): Promise<Moment | undefined> {
  const dropped = await transaction
    .deleteFrom("newsletterEvent")
    .where("email", "=", email)
    .where("site", "=", site)
    .returning("leasedUntil")
    .execute();
  const leases = dropped.flatMap(({ leasedUntil }) => leasedUntil ?? []);
  return leases.length > 0 ? Math.max(...leases) : undefined;
}
