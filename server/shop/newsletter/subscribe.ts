import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { normalizeEmail } from "../../../client/rules/email.ts";
import { normalizeName, validateSubscription } from "../../../client/rules/subscription.ts";
import { day, type Moment } from "../../../client/rules/time.ts";
import type { NewsletterSubscription } from "../../../schemas/types.ts";
import type { Caller, SubscribeResult } from "../../services/newsletter-service.ts";
import type { Site } from "../../sites/countries.ts";
import { type Turn, takeTurn } from "../mail/mail-budgets.ts";
import type { MetLimit } from "../mail/met-limit.ts";
import { nextMailTime } from "../mail/next-mail-time.ts";
import { inTransaction, type StoreTransaction } from "../store/in-transaction.ts";
import { keepIf } from "../store/keep-if.ts";
import { addConsentRecord } from "./consent-records.ts";
import { type ShownText, shownText } from "./consent-text.ts";
import { findByAddress, type Subscription } from "./find-subscription.ts";
import { findWait, noteMet, refuse } from "./find-wait.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import { sendAlreadySubscribed, sendConfirm } from "./send-mails.ts";
import { transition } from "./states.ts";

/**
 * Takes a sign-up: once it is accepted, it, its proof and its mail are durable. For an address that is known, was
 * lately mailed to, is subscribed or wants no mail, the answer is the same, and comes after the same statements
 * (test/server/shop/newsletter/mail-limits.test.ts).
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
  const turn = await takeTurn(parts.db, site.site, at);
  if (turn.met?.outcome === "refused") return refuse(parts, turn.met, turn.at - at);
  const signUp = toSubscription(request, site, at);
  const shown = shownText(site, parts.texts);
  const stored = inTransaction(parts.db, (transaction) =>
    take(parts, transaction, { signUp, site, caller, shown, turn }),
  );
  const [met] = await Promise.all([stored, pause(parts.answerAfter)]);
  noteMet(parts, met);
  return { status: "accepted" };
}

interface SignUp {
  signUp: Subscription;
  site: Site;
  caller: Caller;
  shown: ShownText;
  /** When the site's next mail may go out. */
  turn: Turn;
}

/**
 * Stores a sign-up. Every one takes the same statements, so that the time of its answer tells nothing of the address.
 * @returns the limit that it has met
 */
async function take(
  parts: NewsletterParts,
  transaction: StoreTransaction,
  { signUp, site, caller, shown, turn }: SignUp,
): Promise<MetLimit | undefined> {
  const { email, requestedAt: at } = signUp;
  const due = await nextMailTime(transaction, email, at);
  const isSuppressed = await parts.suppression.holds(transaction, email, at);
  const known = await findByAddress(transaction, email, signUp.site);
  const met = isSuppressed ? suppressed : (metAtMailbox(known, due, at) ?? turn.met);

  await keepIf(transaction, met?.outcome !== "dropped", async () => {
    const { id, createdAt, confirmedAt, lastOpenedAt } = known ?? signUp;
    const declared = { ...signUp, id, createdAt, confirmedAt, lastOpenedAt };
    const isSubscribed = transition(known?.state ?? "none", "signUp") === "confirmed";
    // Anybody may have signed up a subscriber's address, so nothing of the subscription changes.
    await save(transaction, known && isSubscribed ? known : declared);
    const mailAt = Math.max(due, turn.at);
    const mailId = isSubscribed
      ? await sendAlreadySubscribed(transaction, declared, mailAt)
      : await sendConfirm(transaction, declared, site, mailAt);
    await addConsentRecord(parts, transaction, {
      event: "requested",
      subscription: declared,
      at,
      caller,
      mailId,
      shown,
    });
  });
  return met;
}

/**
 * How long a mail may have to wait. A sign-up whose mail would wait longer comes from somebody who plays with the form.
 */
const longestWait = day;

const suppressed: MetLimit = { limit: "suppressed", outcome: "dropped" };

function metAtMailbox(known: Subscription | undefined, due: Moment, at: Moment): MetLimit | undefined {
  if (due <= at) return undefined;
  // The subscriber has just got a mail, or soon will: one more would say the same.
  const hasMail = known?.state === "pending" || known?.state === "confirmed";
  return { limit: "mailbox", outcome: hasMail || due > at + longestWait ? "dropped" : "postponed" };
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
  const { email, salutation, firstName, lastName, consents, categories = [], origin, originAddition } = request;
  return {
    id: randomUUID(),
    site,
    email: normalizeEmail(email),
    salutation: salutation ?? null,
    firstName: normalizeName(firstName ?? "") || null,
    lastName: normalizeName(lastName ?? "") || null,
    consents: JSON.stringify(consents ?? []),
    categories: categories.length > 0 ? JSON.stringify(categories) : null,
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
