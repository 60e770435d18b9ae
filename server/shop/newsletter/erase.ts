import { normalizeEmail } from "../../../client/rules/email.ts";
import { mailboxOf } from "../mail/mailbox.ts";
import { inTransaction } from "../store/in-transaction.ts";
import type { Database } from "../store/open-store.ts";

/**
 * Removes all that is known of an address, on every site: subscriptions with their proof and vouchers, and mails.
 * @returns how many subscriptions and mails there were
 */
export function erase(db: Database, address: string): Promise<{ subscriptions: number; mails: number }> {
  const email = normalizeEmail(address);
  const mailbox = mailboxOf(email);
  return inTransaction(db, async (transaction) => {
    await transaction.deleteFrom("mailbox").where("address", "=", mailbox).execute();
    const mails = await transaction.deleteFrom("mailOutbox").where("mailbox", "=", mailbox).executeTakeFirst();
    const subscriptions = await transaction
      .deleteFrom("newsletterSubscription")
      .where("email", "=", email)
      .executeTakeFirst();
    return { subscriptions: Number(subscriptions.numDeletedRows), mails: Number(mails.numDeletedRows) };
  });
}
