import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { normalizeEmail } from "../../../../client/rules/email.ts";
import type { Moment } from "../../../../client/rules/time.ts";
import type { SubscriberLine } from "../../../../schemas/types.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import { batchSize } from "../../../store/housekeeping.ts";
import type { LineResult } from "../../../store/import-lines.ts";
import { type Database, inTransaction, type StoreTransaction } from "../../../store/open-store.ts";
import type { Tables } from "../../../store/tables.ts";
import { mailboxOf } from "../mail/mailboxes.ts";
import { createSuppression } from "../mail/suppression.ts";
import { decide, fillMailboxes, findKnown, isEnd, momentOf } from "./import-decision.ts";
import { emptiedFields, showFields, storeFields } from "./personal-fields.ts";
import { addSenderTokens, toSenderTokens } from "./sender-tokens.ts";
import { deactivateSubscription } from "./subscriber-actions.ts";
import { addEndEvent } from "./subscriber-events.ts";
import type { Subscription } from "./subscriptions.ts";
import { closeTokens } from "./tokens.ts";
import { markTaken } from "./voucher-codes.ts";

interface ImportContext {
  keys: SecretKeys;
  /** Codes of the sites. */
  sites: readonly string[];
  /** The origin of the consents, for the proof of subscribers who are imported without one. */
  note?: string | undefined;
  /** Whether a webhook receives newsletter events. It is told about subscriptions that end. */
  hasReceiver: boolean;
}

/** A subscription that a line adds or changes. */
interface Change {
  line: SubscriberLine;
  /** The subscription with the data of the line. */
  subscription: Subscription;
  /** The existing subscription that it changes; undefined if it is added. */
  known: Subscription | undefined;
}

type ConsentRow = Insertable<Tables["consentRecord"]>;

/**
 * Imports subscribers, each with a mailbox of its own, all or none. Sends no emails. A line takes effect if it is later
 * than the known data about the mailbox on the site: a consent confirms, a withdrawal ends. Everything else stays
 * unchanged.
 * @returns `refused` with the reason for an address that is suppressed or has ended its newsletter since the consent,
 * and for a sign-up without confirmation
 * @throws UnavailableError if the database can't be written
 */
export async function importSubscribers(
  db: Database,
  lines: readonly SubscriberLine[],
  context: ImportContext,
  at: Moment,
): Promise<LineResult[]> {
  const { keys, sites, note } = context;
  await fillMailboxes(db);
  return inTransaction(db, async (transaction) => {
    const emails = lines.map(({ email }) => normalizeEmail(email));
    const suppressed = await createSuppression(keys).find(transaction, emails, at);
    const knownOf = await findKnown(transaction, lines);
    const newIdOf = await chooseIds(transaction, lines);
    const results: LineResult[] = [];
    const added: Change[] = [];
    const changed: Change[] = [];
    for (const line of lines) {
      const { result, changed: found } = sites.includes(line.site)
        ? decide(line, knownOf(line), suppressed.has(normalizeEmail(line.email)))
        : { result: { faults: [`/site must be one of ${sites.join(", ")}`] }, changed: [] };
      results.push(result);
      for (const known of found) changed.push({ line, subscription: toSubscription(line, known.id, at), known });
      if (result === "added")
        added.push({ line, subscription: toSubscription(line, newIdOf(line), at), known: undefined });
    }
    if (added.length > 0)
      await transaction
        .insertInto("newsletterSubscription")
        .values(added.map(({ subscription }) => subscription))
        .execute();
    for (const { known, subscription } of changed)
      if (known) await changeSubscription(context, transaction, known, subscription, at);
    await addProofs(transaction, [...added, ...changed], note, at);
    return results;
  });
}

/** Chooses the ids of new subscriptions: those of their lines, unless they are taken. */
async function chooseIds(transaction: StoreTransaction, lines: readonly SubscriberLine[]) {
  const wanted = lines.flatMap(({ id }) => id ?? []);
  const rows =
    wanted.length > 0
      ? await transaction.selectFrom("newsletterSubscription").select("id").where("id", "in", wanted).execute()
      : [];
  const taken = new Set(rows.map(({ id }) => id));
  return ({ id = randomUUID() }: SubscriberLine) => {
    const chosen = taken.has(id) ? randomUUID() : id;
    taken.add(chosen);
    return chosen;
  };
}

function toSubscription(line: SubscriberLine, id: string, at: Moment): Subscription {
  const { site, status, records } = line;
  const email = normalizeEmail(line.email);
  const changedAt = momentOf(line.changedAt) ?? momentOf(line.confirmedAt) ?? at;
  // A withdrawal without a proof ends a consent that another system had. Without a time of confirmation it would be
  // deleted after some days, and the withdrawal forgotten.
  const confirmedAt = momentOf(line.confirmedAt) ?? (status === "withdrawn" && !records ? changedAt : null);
  const requestedAt = momentOf(line.signedUpAt) ?? confirmedAt ?? changedAt;
  return {
    id,
    site,
    email,
    mailbox: mailboxOf(email),
    ...storeFields(line),
    ...(status === "withdrawn" && emptiedFields),
    state: status,
    createdAt: requestedAt,
    requestedAt,
    changedAt,
    confirmedAt,
    lastOpenedAt: momentOf(line.lastOpenedAt),
    sendingStoppedAt: momentOf(line.sendingStoppedAt),
  };
}

/** Ends or confirms a subscription. A withdrawal of one that isn't confirmed only changes its proof. */
async function changeSubscription(
  context: ImportContext,
  transaction: StoreTransaction,
  known: Subscription,
  { id, email, createdAt, ...columns }: Subscription,
  at: Moment,
): Promise<void> {
  if (columns.state === "withdrawn") {
    if (known.state !== "confirmed") return;
    await deactivateSubscription(transaction, known, "withdrawn", columns.changedAt);
    await addEndEvent(context, transaction, known, "wish", at);
    return;
  }
  await transaction.updateTable("newsletterSubscription").set(columns).where("id", "=", id).execute();
  await closeTokens(transaction, known, at);
}

/** Adds the data of lines besides their subscriptions: new declarations, vouchers and tokens. */
async function addProofs(
  transaction: StoreTransaction,
  changes: readonly Change[],
  note: string | undefined,
  at: Moment,
): Promise<void> {
  if (changes.length === 0) return;
  const ids = changes.map(({ subscription }) => subscription.id);
  const there = transaction.selectFrom("consentRecord").select(["subscriptionId", "event", "at"]);
  const textOf = (record: Pick<ConsentRow, "subscriptionId" | "event" | "at">) =>
    `${record.subscriptionId} ${record.event} ${record.at}`;
  const known = new Set((await there.where("subscriptionId", "in", ids).execute()).map(textOf));
  const records = changes.flatMap((change) => proofOf(change, note, at)).filter((record) => !known.has(textOf(record)));
  for (let first = 0; first < records.length; first += batchSize)
    await transaction
      .insertInto("consentRecord")
      .values(records.slice(first, first + batchSize))
      .execute();
  const vouchers = changes.flatMap(vouchersOf);
  if (vouchers.length > 0) {
    await transaction
      .insertInto("voucher")
      .values(vouchers)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const codes = vouchers.map(({ code }) => code);
    await markTaken(transaction, codes, at);
  }
  const tokens = changes.flatMap(({ line, subscription: { id } }) => toSenderTokens(id, line));
  await addSenderTokens(transaction, tokens);
}

/** Returns the declarations of a line. If none of them proves the line's status, adds the operator's declaration. */
function proofOf({ line, subscription }: Change, note: string | undefined, at: Moment): ConsentRow[] {
  const { id: subscriptionId, email, site, changedAt } = subscription;
  const { records = [], status } = line;
  const none = { text: null, textVersion: null, language: null, networkHash: null, mailId: null };
  const rows = records.map((record) => ({
    id: randomUUID(),
    subscriptionId,
    ...none,
    ...record,
    at: momentOf(record.at) ?? at,
    declaration: JSON.stringify(record.declaration),
    exportDueAt: momentOf(record.exportDueAt),
    exportedAt: momentOf(record.exportedAt),
  }));
  const isProven =
    status === "withdrawn"
      ? records.some(isEnd)
      : records.some(({ event }) => event === "confirmed" || event === "imported");
  if (isProven) return rows;
  const declaration = JSON.stringify({ email, site, ...showFields(subscription), note });
  const own =
    status === "withdrawn" ? ({ event: "withdrawn", at: changedAt } as const) : ({ event: "imported", at } as const);
  return [
    ...rows,
    { id: randomUUID(), subscriptionId, ...own, declaration, ...none, exportDueAt: null, exportedAt: null },
  ];
}

function vouchersOf({ line: { vouchers = [] }, subscription: { id: subscriptionId, site } }: Change) {
  return vouchers.map(({ code, discount, singleUse, issuedAt, validUntil }) => ({
    code,
    subscriptionId,
    site,
    discount,
    singleUse: Number(singleUse),
    issuedAt: momentOf(issuedAt) ?? 0,
    validUntil: momentOf(validUntil),
  }));
}
