import { normalizeEmail } from "../../../../client/rules/email.ts";
import type { NewsletterEventReport } from "../../../../schemas/types.ts";
import { hmac } from "../../../platform/secret-keys.ts";
import { inTransaction } from "../../../store/open-store.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { deactivateSubscription } from "./subscriber-actions.ts";
import { addEndEvent } from "./subscriber-events.ts";
import { findOnAllSites } from "./subscriptions.ts";
import { hashToken } from "./tokens.ts";

/**
 * Records that a subscriber has opened a newsletter. Any token of the subscription identifies it.
 * @returns false if the token belongs to no confirmed subscription
 */
export function recordOpening({ clock, db }: NewsletterContext, token: string): Promise<boolean> {
  const at = clock();
  return inTransaction(db, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("newsletterSubscription")
      .set({ lastOpenedAt: at })
      .where("id", "=", ({ selectFrom }) =>
        selectFrom("newsletterToken").select("subscriptionId").where("hash", "=", hashToken(token)),
      )
      .where("state", "=", "confirmed")
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/** For each report, how it ends a subscription in the proof of consent and in the event. */
const ends = {
  hard: { event: "stopped", reason: "bounced" },
  complaint: { event: "withdrawn", reason: "complained" },
} as const;

/**
 * Stores a report of the newsletter's sender, once. A hard bounce suppresses the address for some days, a complaint its
 * mailbox for good. Both end its subscriptions. A soft bounce has no effect, because the mailbox exists.
 * @param id - the same if the report is repeated
 * @returns the kind of the report; undefined if it was known
 */
export function storeReport(
  context: NewsletterContext,
  id: string,
  { type, data }: NewsletterEventReport,
): Promise<"hard" | "soft" | "complaint" | undefined> {
  const { addConsentRecords, clock, db, keys, suppression } = context;
  const at = clock();
  const email = normalizeEmail(data.email);
  // Senders choose the id, so it may contain an address.
  const hashes = keys.verifying("newsletter-report").map((key) => hmac(key, id));
  const [hash = ""] = hashes;
  const kind = type === "subscription.complained" ? "complaint" : (data.kind ?? "hard");
  return inTransaction(db, async (transaction) => {
    const reports = transaction.selectFrom("newsletterReport").select("hash").where("hash", "in", hashes);
    if (await reports.executeTakeFirst()) return undefined;
    const added = await transaction
      .insertInto("newsletterReport")
      .values({ hash, receivedAt: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning("hash")
      .executeTakeFirst();
    if (!added) return undefined;
    if (kind === "soft") return kind;
    // Locks the mailbox before the subscriptions, as a sign-up does. In another order, the two could deadlock.
    if (kind === "hard") await suppression.recordBounce(transaction, email, at);
    else await suppression.suppress(transaction, email, at);
    const { event, reason } = ends[kind];
    for (const subscription of await findOnAllSites(transaction, [email])) {
      const { state, site } = subscription;
      if (state !== "confirmed" || (data.site !== undefined && data.site !== site)) continue;
      await deactivateSubscription(transaction, subscription, "withdrawn", at);
      await addEndEvent(context, transaction, subscription, reason, at);
      await addConsentRecords(transaction, [{ event, subscription, at }]);
    }
    return kind;
  });
}
