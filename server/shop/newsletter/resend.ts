import type { Caller, ResendResult } from "../../services/newsletter-service.ts";
import { takeTurns } from "../mail/mail-budgets.ts";
import { nextMailTimes } from "../mail/next-mail-times.ts";
import { inTransaction } from "../store/in-transaction.ts";
import { findByToken, findRecipient } from "./find-subscription.ts";
import { findWait, noteMet, refuse } from "./find-wait.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import { confirmMail, sendMails } from "./send-mails.ts";
import { transition } from "./states.ts";

/** Sends the mail of a sign-up that wasn't confirmed in time anew, once per mail and within the mailbox's limits. */
export async function resend(parts: NewsletterParts, token: string, caller: Caller): Promise<ResendResult> {
  const wait = await findWait(parts, caller);
  if (wait) return wait;
  const at = parts.clock();
  return inTransaction(parts.db, async (transaction) => {
    // A sign-up locks the mailbox first, too: in another order, the two could wait for each other.
    const recipient = await findRecipient(transaction, token);
    if (recipient === undefined) return { status: "invalidToken" };
    const due = (await nextMailTimes(transaction, [recipient], at))(recipient);
    const held = await findByToken(transaction, token);
    if (held?.token.purpose !== "subscriber" || held.token.usedAt !== null) return { status: "invalidToken" };
    const { subscription } = held;
    const site = parts.countries.get(subscription.site);
    const state = transition(subscription.state, "resend");
    if (!site || !state) return { status: "invalidToken" };
    if (held.token.resentAt !== null) return { status: "accepted" };
    const isSuppressed = (await parts.suppression.find(transaction, [recipient], at)).has(recipient);
    if (isSuppressed || due > at) {
      noteMet(parts, { limit: isSuppressed ? "suppressed" : "mailbox", outcome: "dropped" });
      return { status: "accepted" };
    }
    const turn = (await takeTurns(transaction, [subscription.site], at))(subscription.site);
    if (turn.met?.outcome === "refused") return refuse(parts, turn.met, turn.at - at);
    noteMet(parts, turn.met);
    await transaction
      .updateTable("newsletterSubscription")
      .set({ state, changedAt: at })
      .where("id", "=", subscription.id)
      .execute();
    await transaction
      .updateTable("newsletterToken")
      .set({ resentAt: at })
      .where("hash", "=", held.token.hash)
      .execute();
    await sendMails(transaction, [confirmMail(subscription, site, turn.at)]);
    return { status: "accepted" };
  });
}
