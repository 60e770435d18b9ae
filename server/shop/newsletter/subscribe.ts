import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { normalizeEmail } from "../../../client/rules/email.ts";
import { normalizeName, validateSubscription } from "../../../client/rules/subscription.ts";
import { day, type Moment } from "../../../client/rules/time.ts";
import type { NewsletterSubscription } from "../../../schemas/types.ts";
import type { Caller, SubscribeResult } from "../../services/newsletter-service.ts";
import type { Site } from "../../sites/countries.ts";
import { nextMailTime } from "../mail/next-mail-time.ts";
import { inTransaction, type StoreTransaction } from "../store/in-transaction.ts";
import { addConsentRecord } from "./consent-records.ts";
import { type ShownText, shownText } from "./consent-text.ts";
import { findByAddress, type Subscription } from "./find-subscription.ts";
import { findWait } from "./find-wait.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import { sendAlreadySubscribed, sendConfirm } from "./send-mails.ts";
import { transition } from "./states.ts";

/**
 * Takes a sign-up: once it is accepted, it, its proof and its mail are durable. For an address that is known, was
 * lately mailed to or is subscribed, the answer is the same, and comes at the same time
 * (test/server/shop/newsletter/subscribe.test.ts).
 */
export async function subscribe(
  parts: NewsletterParts,
  request: NewsletterSubscription,
  caller: Caller,
): Promise<SubscribeResult> {
  const { site } = caller;
  const faults = validateSubscription({ ...request, consents: request.consents ?? [] }, site.newsletter);
  if (faults.length > 0) return { status: "invalid", faults };
  const wait = await findWait(parts, caller);
  if (wait) return wait;

  const at = parts.clock();
  const shown = shownText(site, parts.texts);
  const signUp = toSubscription(request, site, at);
  const stored = inTransaction(parts.db, async (transaction) => {
    const due = await nextMailTime(transaction, signUp.email, at);
    await take(parts, transaction, { signUp, site, caller, shown, due });
  });
  await Promise.all([stored, pause(parts.answerAfter)]);
  return { status: "accepted" };
}

interface SignUp {
  signUp: Subscription;
  site: Site;
  caller: Caller;
  shown: ShownText;
  /** When the sign-up's mail may go out. */
  due: Moment;
}

/**
 * How long a mail may have to wait. A sign-up whose mail would wait longer comes from somebody who plays with the form.
 */
const longestWait = day;

async function take(
  parts: NewsletterParts,
  transaction: StoreTransaction,
  { signUp, site, caller, shown, due }: SignUp,
): Promise<void> {
  const at = signUp.requestedAt;
  const known = await findByAddress(transaction, signUp.email, signUp.site);
  // The subscriber has just got a mail, or soon will: one more would say the same.
  const hasMail = known?.state === "pending" || known?.state === "confirmed";
  if (due > at && (hasMail || due > at + longestWait)) return;
  const { id, createdAt, confirmedAt, lastOpenedAt } = known ?? signUp;
  const subscription = { ...signUp, id, createdAt, confirmedAt, lastOpenedAt };
  // Anybody may have signed up a subscriber's address, so nothing of the subscription changes.
  const isSubscribed = transition(known?.state ?? "none", "signUp") === "confirmed";
  if (!isSubscribed) await save(transaction, subscription);
  const mailId = isSubscribed
    ? await sendAlreadySubscribed(transaction, subscription, due)
    : await sendConfirm(transaction, subscription, site, due);
  await addConsentRecord(parts, transaction, { event: "requested", subscription, at, caller, mailId, shown });
}

async function save(transaction: StoreTransaction, subscription: Subscription): Promise<void> {
  const { id: _id, ...fields } = subscription;
  await transaction
    .insertInto("newsletterSubscription")
    .values(subscription)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(fields))
    .execute();
}

function toSubscription(request: NewsletterSubscription, { site }: Site, at: Moment): Subscription {
  const { email, salutation, firstName, lastName, consents, origin, originAddition } = request;
  return {
    id: randomUUID(),
    site,
    email: normalizeEmail(email),
    salutation: salutation ?? null,
    firstName: normalizeName(firstName ?? "") || null,
    lastName: normalizeName(lastName ?? "") || null,
    consents: JSON.stringify(consents ?? []),
    origin: origin ?? "NEWSLETTER",
    originAddition: originAddition || null,
    state: "pending",
    createdAt: at,
    requestedAt: at,
    changedAt: at,
    confirmedAt: null,
    lastOpenedAt: null,
    sendingStoppedAt: null,
  };
}
