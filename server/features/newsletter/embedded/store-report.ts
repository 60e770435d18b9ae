import { normalizeEmail } from "../../../../client/rules/email.ts";
import type { NewsletterEventReport } from "../../../../schemas/types.ts";
import { inTransaction } from "../../../store/in-transaction.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { deactivateSubscription } from "./subscriber-actions.ts";
import { findAllOfAddress } from "./subscriptions.ts";

/** How a subscription ends after a report, in the proof of consent and in its event. */
const ends = {
  hard: { event: "stopped", reason: "bounced" },
  complaint: { event: "withdrawn", reason: "complained" },
} as const;

/**
 * Stores a report of the newsletter's sender, once. A hard bounce suppresses the address for some days, a complaint its
 * mailbox for good; both end its subscriptions. A soft bounce has no effect, as the mailbox exists.
 * @param id - the same when the report is repeated
 * @returns what was reported; undefined when it was known
 */
export function storeReport(
  { addConsentRecords, clock, db, events, hashReportId, suppression }: NewsletterContext,
  id: string,
  { type, data }: NewsletterEventReport,
): Promise<"hard" | "soft" | "complaint" | undefined> {
  const at = clock();
  const email = normalizeEmail(data.email);
  const kind = type === "subscription.complained" ? "complaint" : (data.kind ?? "hard");
  return inTransaction(db, async (transaction) => {
    const added = await transaction
      .insertInto("newsletterReport")
      .values({ hash: hashReportId(id), receivedAt: at })
      .onConflict((conflict) => conflict.doNothing())
      .returning("hash")
      .executeTakeFirst();
    if (!added) return undefined;
    if (kind === "soft") return kind;
    // The mailbox is locked before the subscriptions, as in a sign-up: in another order, the two could deadlock.
    if (kind === "hard") await suppression.recordBounce(transaction, email, at);
    else await suppression.suppress(transaction, email, at);
    const { event, reason } = ends[kind];
    for (const subscription of await findAllOfAddress(transaction, email)) {
      const { state, site } = subscription;
      if (state !== "confirmed" || (data.site !== undefined && data.site !== site)) continue;
      await deactivateSubscription(transaction, subscription, "withdrawn", at);
      await events?.addEndEvent(transaction, subscription, reason, at);
      await addConsentRecords(transaction, [{ event, subscription, at }]);
    }
    return kind;
  });
}
