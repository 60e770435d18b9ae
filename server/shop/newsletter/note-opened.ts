import type { OpenedResult } from "../../services/newsletter-service.ts";
import { inTransaction } from "../store/in-transaction.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import { hashToken } from "./tokens.ts";

/** Takes note that a subscriber has opened a newsletter, which any token of the subscription's mails stands for. */
export function noteOpened({ db, clock }: NewsletterParts, token: string): Promise<OpenedResult> {
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
    return { status: numUpdatedRows > 0n ? "noted" : "invalidToken" };
  });
}
