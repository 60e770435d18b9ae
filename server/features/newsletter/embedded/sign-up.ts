import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { normalizeEmail } from "../../../../client/rules/email.ts";
import { validateSubscription } from "../../../../client/rules/subscription.ts";
import { day, type Milliseconds, type Moment } from "../../../../client/rules/time.ts";
import type { NewsletterSubscription } from "../../../../schemas/types.ts";
import type { Site } from "../../../sites/countries.ts";
import { batchCalls } from "../../../store/batch-calls.ts";
import { inTransaction, type StoreTransaction } from "../../../store/open-store.ts";
import { type RateLimitHit, reserveSendSlots, type SendSlot } from "../mail/mail-budgets.ts";
import { mailboxOf, nextMailTimes } from "../mail/mailboxes.ts";
import type { NewsletterCaller, SubscribeResult } from "../service.ts";
import type { NewsletterContext } from "./newsletter-context.ts";
import { fieldNames, storeFields } from "./personal-fields.ts";
import { queueMails } from "./queue-mails.ts";
import { findByAddresses, type Subscription } from "./subscriptions.ts";

/** A request and its caller. */
interface Call {
  request: NewsletterSubscription;
  caller: NewsletterCaller;
}

/** A sign-up to be stored, and the send slot of its email. */
interface SignUp extends SendSlot {
  requested: Subscription;
  caller: NewsletterCaller;
  /** The existing subscription of the address. */
  known?: Subscription | undefined;
}

/** The longest delay of an email to a mailbox. If an email would wait longer, somebody is playing with the form. */
export const longestDelay: Milliseconds = day;

export const suppressed: RateLimitHit = { limit: "suppressed", outcome: "dropped" };

/** The columns that a new sign-up of a known address overwrites. */
const overwritten = [...fieldNames, "state", "requestedAt", "changedAt", "sendingStoppedAt"] as const;

/**
 * Creates the function that accepts sign-ups. An accepted sign-up is stored with its proof and its email. The answer
 * and its timing are the same whether the address is new, pending, subscribed, recently mailed or suppressed.
 * Concurrent sign-ups share a transaction, which takes as many statements as for one, and a single fsync.
 */
export function createSignUp(context: NewsletterContext) {
  const storeSignUp = batchCalls<Call, SendSlot>({
    // Sign-ups of the same mailbox depend on each other, so they can't share a transaction.
    keyOf: ({ request }) => mailboxOf(normalizeEmail(request.email)),
    work: (calls) => storeAll(context, calls),
  });

  return async function signUp(request: NewsletterSubscription, caller: NewsletterCaller): Promise<SubscribeResult> {
    const { answerAfter, clock, limits } = context;
    const faults = validateSubscription({ ...request, consents: request.consents ?? [] }, caller.site.newsletter);
    if (faults.length > 0) return { status: "invalid", faults };
    const refusal = await limits.checkNetwork(caller.address, clock());
    if (refusal) return refusal;
    const [{ at, hit }] = await Promise.all([storeSignUp({ request, caller }), pause(answerAfter)]);
    return limits.apply(hit, at - clock()) ?? { status: "accepted" };
  };
}

/**
 * @returns the send slot of each sign-up's email, with the limit that it hit
 */
async function storeAll(context: NewsletterContext, calls: readonly Call[]): Promise<SendSlot[]> {
  const at = context.clock();
  const requests = calls.map(({ request, caller }) => ({
    requested: toSubscription(request, caller.site, at),
    caller,
  }));
  const subscriptions = requests.map(({ requested }) => requested);
  const slotOf = await reserveSendSlots(context.db, subscriptions, at);
  const signUps = requests.map((request): SignUp => ({ ...request, ...slotOf(request.requested) }));
  const open = signUps.filter(({ hit }) => hit?.outcome !== "refused");
  if (open.length === 0) return signUps;
  const decided = await inTransaction(context.db, (transaction) => decideAll(context, transaction, open, at));
  return signUps.map((signUp) => decided.find(({ requested }) => requested === signUp.requested) ?? signUp);
}

/**
 * Decides about sign-ups, and writes those that get an email. If none does, executes the same statements and rolls them
 * back, so that the timing reveals nothing about an address.
 */
async function decideAll(
  context: NewsletterContext,
  transaction: StoreTransaction,
  signUps: readonly SignUp[],
  at: Moment,
): Promise<SignUp[]> {
  const emails = signUps.map(({ requested }) => requested.email);
  const dueOf = await nextMailTimes(transaction, emails, at);
  const suppressedEmails = await context.suppression.find(transaction, emails, at);
  const found = await findByAddresses(
    transaction,
    signUps.map(({ requested }) => requested),
  );
  const knownOf = new Map(found.map((subscription) => [subscription.email, subscription]));
  const decided = signUps.map((signUp) => {
    const { email } = signUp.requested;
    const [known, due] = [knownOf.get(email), dueOf(email)];
    const dropped = suppressedEmails.has(email) ? suppressed : signUp.hit?.outcome === "dropped" && signUp.hit;
    const hit = dropped || (mailboxHit(known, due, at) ?? signUp.hit);
    return { ...signUp, known, hit, at: Math.max(signUp.at, due) };
  });
  const mailed = decided.filter(({ hit }) => hit?.outcome !== "dropped");
  const hasMail = mailed.length > 0;
  await sql`savepoint before_writing`.execute(transaction);
  await writeAll(context, transaction, hasMail ? mailed : decided);
  const end = hasMail ? sql`release savepoint before_writing` : sql`rollback to savepoint before_writing`;
  await end.execute(transaction);
  return decided;
}

function mailboxHit(known: Subscription | undefined, due: Moment, at: Moment): RateLimitHit | undefined {
  if (due <= at) return undefined;
  // A subscriber has just got an email, or soon will. Another would say the same.
  const hasMail = known?.state === "pending" || known?.state === "confirmed";
  return { limit: "mailbox", outcome: hasMail || due > at + longestDelay ? "dropped" : "postponed" };
}

async function writeAll(
  { addConsentRecords }: NewsletterContext,
  transaction: StoreTransaction,
  signUps: readonly SignUp[],
): Promise<void> {
  const written = signUps.map(({ known, requested, at, caller }) => {
    const { id, createdAt, confirmedAt, lastOpenedAt } = known ?? requested;
    const subscription = { ...requested, id, createdAt, confirmedAt, lastOpenedAt };
    const isSubscribed = known?.state === "confirmed";
    const confirmBy = at + caller.site.newsletter.confirmWithinDays * day;
    const kind = isSubscribed ? ({ kind: "alreadySubscribed" } as const) : ({ kind: "confirm", confirmBy } as const);
    const record = { event: "requested", subscription, at: requested.requestedAt, caller, form: "signUp" } as const;
    // Anybody may have entered a subscriber's address, so the subscription stays as it is.
    return {
      row: isSubscribed ? known : subscription,
      mail: { ...kind, subscription, at, queuedAt: requested.requestedAt },
      record,
    };
  });
  await transaction
    .insertInto("newsletterSubscription")
    .values(written.map(({ row }) => row))
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(({ ref }) => Object.fromEntries(overwritten.map((column) => [column, ref(`excluded.${column}`)]))),
    )
    .execute();
  const mailIds = await queueMails(
    transaction,
    written.map(({ mail }) => mail),
  );
  await addConsentRecords(
    transaction,
    written.map(({ record }, index) => ({ ...record, mailId: mailIds[index] })),
  );
}

export function toSubscription(request: NewsletterSubscription, { site }: Site, at: Moment): Subscription {
  const email = normalizeEmail(request.email);
  return {
    id: randomUUID(),
    site,
    email,
    mailbox: mailboxOf(email),
    ...storeFields(request),
    state: "pending",
    createdAt: at,
    requestedAt: at,
    changedAt: at,
    confirmedAt: null,
    lastOpenedAt: null,
    sendingStoppedAt: null,
  };
}
