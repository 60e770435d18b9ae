import { randomUUID } from "node:crypto";
import { normalizeEmail } from "../../../client/rules/email.ts";
import { normalizeName } from "../../../client/rules/subscription.ts";
import { day, type Moment } from "../../../client/rules/time.ts";
import type { NewsletterSubscription } from "../../../schemas/types.ts";
import type { Caller } from "../../services/newsletter-service.ts";
import type { Site } from "../../sites/countries.ts";
import { type Turn, takeTurns } from "../mail/mail-budgets.ts";
import { mailboxOf } from "../mail/mailbox.ts";
import type { MetLimit } from "../mail/met-limit.ts";
import { nextMailTimes } from "../mail/next-mail-times.ts";
import { inGroups } from "../store/in-groups.ts";
import { inTransaction, type StoreTransaction } from "../store/in-transaction.ts";
import { keepIf } from "../store/keep-if.ts";
import { addConsentRecords } from "./consent-records.ts";
import type { ShownText } from "./consent-text.ts";
import { findByAddresses, type Subscription } from "./find-subscription.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import { alreadySubscribedMail, confirmMail, sendMails } from "./send-mails.ts";
import { transition } from "./states.ts";

/** What somebody has entered, and who it was. */
export interface SignUp {
  request: NewsletterSubscription;
  caller: Caller;
}

/** Stores a sign-up with its proof and its mail. It gives the mail's turn, and the limit that the sign-up has met. */
export type TakeSignUp = (signUp: SignUp) => Promise<Turn>;

/**
 * Creates what takes sign-ups, those that come at the same time in one transaction: they cost as many statements as one,
 * and wait for the disk once.
 */
export function createTakeSignUp(parts: NewsletterParts): TakeSignUp {
  return inGroups({
    // What the one may be sent depends on what the other was.
    keyOf: ({ request }) => mailboxOf(normalizeEmail(request.email)),
    work: (signUps) => takeAll(parts, signUps),
  });
}

async function takeAll(parts: NewsletterParts, signUps: readonly SignUp[]): Promise<Turn[]> {
  const at = parts.clock();
  const sites = signUps.map(({ caller }) => caller.site.site);
  const nextTurn = await takeTurns(parts.db, sites, at);
  const asked = signUps.map(({ request, caller }): Asked => {
    const { site } = caller;
    const declared = toSubscription(request, site, at);
    return { declared, caller, shown: parts.shownText(site), turn: nextTurn(site.site) };
  });
  const open = asked.filter(({ turn }) => turn.met?.outcome !== "refused");
  const decided =
    open.length > 0 ? await inTransaction(parts.db, (transaction) => store(parts, transaction, open, at)) : [];
  const met = new Map(decided.map((decision) => [decision.turn, decision.met]));
  return asked.map(({ turn }) => (met.has(turn) ? { ...turn, met: met.get(turn) } : turn));
}

/** A sign-up that is to be stored. */
interface Asked {
  declared: Subscription;
  caller: Caller;
  shown: ShownText;
  /** When the site's next mail may go out. */
  turn: Turn;
}

/** What becomes of a sign-up. */
interface Decided extends Asked {
  known: Subscription | undefined;
  /** When the mailbox may get its next mail. */
  due: Moment;
  met: MetLimit | undefined;
}

/** Stores sign-ups. All take the same statements, so that the time of an answer tells nothing of the address. */
async function store(
  parts: NewsletterParts,
  transaction: StoreTransaction,
  asked: readonly Asked[],
  at: Moment,
): Promise<Decided[]> {
  const emails = asked.map(({ declared }) => declared.email);
  const dueOf = await nextMailTimes(transaction, emails, at);
  const suppressed = await parts.suppression.find(transaction, emails, at);
  const found = await findByAddresses(
    transaction,
    asked.map(({ declared }) => declared),
  );
  const knownOf = new Map(found.map((subscription) => [subscription.email, subscription]));
  const decided = asked.map((signUp): Decided => {
    const { email } = signUp.declared;
    const [known, due] = [knownOf.get(email), dueOf(email)];
    const met = suppressed.has(email) ? onList : (metAtMailbox(known, due, at) ?? signUp.turn.met);
    return { ...signUp, known, due, met };
  });
  const kept = decided.filter(({ met }) => met?.outcome !== "dropped");
  await keepIf(transaction, kept.length > 0, () => write(parts, transaction, kept.length > 0 ? kept : decided));
  return decided;
}

async function write(
  parts: NewsletterParts,
  transaction: StoreTransaction,
  signUps: readonly Decided[],
): Promise<void> {
  const written = signUps.map(({ known, declared, due, turn, caller, shown }) => {
    const { id, createdAt, confirmedAt, lastOpenedAt } = known ?? declared;
    const subscription = { ...declared, id, createdAt, confirmedAt, lastOpenedAt };
    const isSubscribed = transition(known?.state ?? "none", "signUp") === "confirmed";
    const mailAt = Math.max(due, turn.at);
    return {
      // Anybody may have signed up a subscriber's address, so nothing of the subscription changes.
      saved: known && isSubscribed ? known : subscription,
      sent: isSubscribed ? alreadySubscribedMail(subscription, mailAt) : confirmMail(subscription, caller.site, mailAt),
      declaration: { event: "requested", subscription, at: declared.requestedAt, caller, shown } as const,
    };
  });
  await save(
    transaction,
    written.map(({ saved }) => saved),
  );
  await sendMails(
    transaction,
    written.map(({ sent }) => sent),
  );
  await addConsentRecords(
    parts,
    transaction,
    written.map(({ declaration, sent }) => ({ ...declaration, mailId: sent.mail.id })),
  );
}

/**
 * How long a mail may have to wait. A sign-up whose mail would wait longer comes from somebody who plays with the form.
 */
const longestWait = day;

const onList: MetLimit = { limit: "suppressed", outcome: "dropped" };

function metAtMailbox(known: Subscription | undefined, due: Moment, at: Moment): MetLimit | undefined {
  if (due <= at) return undefined;
  // The subscriber has just got a mail, or soon will: one more would say the same.
  const hasMail = known?.state === "pending" || known?.state === "confirmed";
  return { limit: "mailbox", outcome: hasMail || due > at + longestWait ? "dropped" : "postponed" };
}

/** What a new sign-up of a known address changes. */
const changed = [
  ...(["salutation", "firstName", "lastName", "consents", "categories", "origin", "originAddition"] as const),
  ...(["state", "requestedAt", "changedAt", "sendingStoppedAt"] as const),
];

async function save(transaction: StoreTransaction, subscriptions: readonly Subscription[]): Promise<void> {
  await transaction
    .insertInto("newsletterSubscription")
    .values(subscriptions)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet(({ ref }) => Object.fromEntries(changed.map((column) => [column, ref(`excluded.${column}`)]))),
    )
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
