import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { normalizeEmail } from "../../../../client/rules/email.ts";
import type { Moment } from "../../../../client/rules/time.ts";
import type { SubscriberLine } from "../../../../schemas/types.ts";
import type { SecretKeys } from "../../../platform/secret-keys.ts";
import { parseTime } from "../../../platform/time.ts";
import { batchSize } from "../../../store/housekeeping.ts";
import type { LineResult } from "../../../store/import-lines.ts";
import { type Database, inTransaction, type StoreTransaction } from "../../../store/open-store.ts";
import type { Tables } from "../../../store/tables.ts";
import { createSuppression } from "../mail/suppression.ts";
import { addEndEvent } from "../webhook/events.ts";
import type { State } from "./newsletter-tables.ts";
import { emptiedFields, showFields, storeFields } from "./personal-fields.ts";
import { deactivateSubscription } from "./subscriber-actions.ts";
import { addSenderTokens, closeTokens, findOnAllSites, type Subscription } from "./subscriptions.ts";

interface ImportContext {
  keys: SecretKeys;
  /** Codes of the sites. */
  sites: readonly string[];
  /** Where the consents come from, for the proof of subscribers who are imported without one. */
  note?: string | undefined;
  /** Whether a webhook receives newsletter events. It hears of subscriptions that end. */
  hasReceiver: boolean;
}

/** A line, and what becomes of it. */
interface Entry {
  line: SubscriberLine;
  /** The subscription that it stands for. */
  subscription: Subscription;
  /** That of the same mailbox here. */
  known: Subscription | undefined;
  result: LineResult;
}

type ConsentRow = Insertable<Tables["consentRecord"]>;

/** Identifies the subscription of a line in every spelling of its address. */
export function subscriberKey({ site, email }: Pick<SubscriberLine, "site" | "email">): string {
  return `${site} ${normalizeEmail(email).toLowerCase()}`;
}

/**
 * Imports subscribers, each with a key of its own, all or none. Nobody gets a mail. A subscription that exists stays as
 * it is, except that an unconfirmed sign-up becomes confirmed, and that a later withdrawal ends it.
 * @returns `refused` for an address that has unsubscribed or is suppressed here, and for a sign-up without confirmation
 * @throws UnavailableError when the database can't be written
 */
export function importSubscribers(
  db: Database,
  lines: readonly SubscriberLine[],
  context: ImportContext,
  at: Moment,
): Promise<LineResult[]> {
  const { keys, sites, note } = context;
  return inTransaction(db, async (transaction) => {
    const emails = lines.map(({ email }) => normalizeEmail(email));
    const suppressed = await createSuppression(keys).find(transaction, emails, at);
    const knownOf = await findKnown(transaction, lines);
    const newIdOf = await chooseIds(transaction, lines);
    const entries = lines.map((line): Entry => {
      const known = knownOf(line);
      const subscription = toSubscription(line, known?.id ?? newIdOf(line), at);
      const result = sites.includes(line.site)
        ? decide(line, known, suppressed.has(subscription.email))
        : { faults: [`/site must be one of ${sites.join(", ")}`] };
      return { line, subscription, known, result };
    });
    const added = entries.filter(({ result }) => result === "added");
    if (added.length > 0)
      await transaction
        .insertInto("newsletterSubscription")
        .values(added.map(({ subscription }) => subscription))
        .execute();
    const changed = entries.filter(({ result }) => result === "changed");
    for (const { known, subscription } of changed)
      if (known) await changeSubscription(context, transaction, known, subscription, at);
    await addProofs(transaction, [...added, ...changed], note, at);
    return entries.map(({ result }) => result);
  });
}

function decide(
  line: SubscriberLine,
  known: Subscription | undefined,
  isSuppressed: boolean,
): Exclude<LineResult, object> {
  if (line.status === "withdrawn") {
    if (!known) return "added";
    const isLater = (known.confirmedAt ?? 0) < (momentOf(line.changedAt) ?? 0);
    return known.state === "confirmed" && isLater ? "changed" : "unchanged";
  }
  if (line.status !== "confirmed") return "refused";
  if (known?.state === "confirmed") return "unchanged";
  if (isSuppressed || known?.state === "withdrawn" || known?.state === "refused") return "refused";
  return known ? "changed" : "added";
}

/**
 * Finds the subscriptions of lines, in any spelling, and locks them until the transaction ends.
 * @returns the subscription of a line. Of several spellings the same counts, else one that the line may not revive, or
 * that it may end
 */
async function findKnown(transaction: StoreTransaction, lines: readonly SubscriberLine[]) {
  const rows = await findOnAllSites(
    transaction,
    lines.map(({ email }) => normalizeEmail(email)),
  );
  const rowsOf = Map.groupBy(rows, subscriberKey);
  return (line: SubscriberLine): Subscription | undefined => {
    const found = rowsOf.get(subscriberKey(line)) ?? [];
    const decisive: State[] = line.status === "withdrawn" ? ["confirmed"] : ["withdrawn", "refused"];
    const same = found.find(({ email }) => email === normalizeEmail(line.email));
    return same ?? found.find(({ state }) => decisive.includes(state)) ?? found[0];
  };
}

/** Chooses the ids of new subscriptions: those of their lines, unless other subscriptions have them. */
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
  const { site, email, status } = line;
  const confirmedAt = momentOf(line.confirmedAt);
  const changedAt = momentOf(line.changedAt) ?? confirmedAt ?? at;
  const requestedAt = momentOf(line.signedUpAt) ?? confirmedAt ?? changedAt;
  return {
    ...{ id, site, email: normalizeEmail(email), ...storeFields(line) },
    ...(status === "withdrawn" && emptiedFields),
    ...{ state: status, createdAt: requestedAt, requestedAt, changedAt, confirmedAt },
    ...{ lastOpenedAt: momentOf(line.lastOpenedAt), sendingStoppedAt: momentOf(line.sendingStoppedAt) },
  };
}

/** Ends a subscription, or confirms a sign-up. */
async function changeSubscription(
  context: ImportContext,
  transaction: StoreTransaction,
  known: Subscription,
  { id, createdAt, ...columns }: Subscription,
  at: Moment,
): Promise<void> {
  if (columns.state === "withdrawn") {
    await deactivateSubscription(transaction, known, "withdrawn", columns.changedAt);
    await addEndEvent(context, transaction, known, "wish", at);
    return;
  }
  await transaction.updateTable("newsletterSubscription").set(columns).where("id", "=", id).execute();
  await closeTokens(transaction, known, at);
}

/** Adds what lines have beside their subscriptions: declarations that aren't there yet, vouchers and tokens. */
async function addProofs(
  transaction: StoreTransaction,
  entries: readonly Entry[],
  note: string | undefined,
  at: Moment,
): Promise<void> {
  if (entries.length === 0) return;
  const ids = entries.map(({ subscription }) => subscription.id);
  const there = transaction.selectFrom("consentRecord").select(["subscriptionId", "event", "at"]);
  const textOf = (record: Pick<ConsentRow, "subscriptionId" | "event" | "at">) =>
    `${record.subscriptionId} ${record.event} ${record.at}`;
  const known = new Set((await there.where("subscriptionId", "in", ids).execute()).map(textOf));
  const records = entries.flatMap((entry) => proofOf(entry, note, at)).filter((record) => !known.has(textOf(record)));
  for (let first = 0; first < records.length; first += batchSize)
    await transaction
      .insertInto("consentRecord")
      .values(records.slice(first, first + batchSize))
      .execute();
  const vouchers = entries.flatMap(vouchersOf);
  if (vouchers.length > 0)
    await transaction
      .insertInto("voucher")
      .values(vouchers)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  const tokens = entries.flatMap(({ line, subscription: { id } }) =>
    line.token ? [{ token: line.token, subscriptionId: id }] : [],
  );
  await addSenderTokens(transaction, tokens);
}

/** Returns the declarations of a line. Where none proves the consent, the operator's says that it was imported. */
function proofOf({ line, subscription }: Entry, note: string | undefined, at: Moment): ConsentRow[] {
  const { id: subscriptionId, email, site } = subscription;
  const { records = [], status } = line;
  const none = { text: null, textVersion: null, language: null, networkHash: null, mailId: null };
  const rows = records.map((record) => ({
    ...{ id: randomUUID(), subscriptionId, ...none, ...record },
    at: momentOf(record.at) ?? at,
    declaration: JSON.stringify(record.declaration),
    exportDueAt: momentOf(record.exportDueAt),
    exportedAt: momentOf(record.exportedAt),
  }));
  const proves = status === "confirmed" ? ["confirmed", "imported"] : records.map(({ event }) => event);
  if (records.some(({ event }) => proves.includes(event))) return rows;
  const declaration = JSON.stringify({ email, site, ...showFields(subscription), note });
  const imported = { id: randomUUID(), subscriptionId, event: "imported" as const, at, declaration };
  return [...rows, { ...imported, ...none, exportDueAt: null, exportedAt: null }];
}

function vouchersOf({ line: { vouchers = [] }, subscription: { id: subscriptionId, site } }: Entry) {
  return vouchers.map(({ code, discount, singleUse, issuedAt, validUntil }) => ({
    ...{ code, subscriptionId, site, discount, singleUse: Number(singleUse) },
    ...{ issuedAt: momentOf(issuedAt) ?? 0, validUntil: momentOf(validUntil) },
  }));
}

function momentOf(time: string | null | undefined): Moment | null {
  return time ? (parseTime(time) ?? null) : null;
}
