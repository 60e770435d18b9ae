import { createHmac, randomUUID } from "node:crypto";
import type { Insertable, Selectable } from "kysely";
import type { Moment } from "../../../client/rules/time.ts";
import type { Caller } from "../../services/newsletter-service.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import type { ShownText } from "./consent-text.ts";
import { dueAtIys } from "./iys.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import type { ConsentEvent, ConsentRecordTable, SubscriptionTable } from "./newsletter-tables.ts";

interface NewRecord {
  event: ConsentEvent;
  subscription: Selectable<SubscriptionTable>;
  at: Moment;
  /** Who made the declaration; undefined when the service did so by itself. */
  caller?: Caller;
  mailId?: string;
  /** The text that the form has shown. */
  shown?: ShownText;
}

type RecordParts = Pick<NewsletterParts, "countries" | "networkKey">;

/** Adds declarations to the proof of consent. */
export async function addConsentRecords(
  parts: RecordParts,
  transaction: StoreTransaction,
  records: readonly NewRecord[],
): Promise<void> {
  await transaction
    .insertInto("consentRecord")
    .values(records.map((record) => toRow(parts, record)))
    .execute();
}

function toRow(
  { countries, networkKey }: RecordParts,
  { event, subscription, at, caller, mailId, shown }: NewRecord,
): Insertable<ConsentRecordTable> {
  return {
    id: randomUUID(),
    subscriptionId: subscription.id,
    event,
    at,
    declaration: JSON.stringify(declarationOf(subscription)),
    text: shown?.text ?? null,
    textVersion: shown?.version ?? null,
    language: shown?.language ?? null,
    networkHash: caller?.address === undefined ? null : hashAddress(networkKey, caller.address),
    mailId: mailId ?? null,
    exportDueAt: dueAtIys(countries.get(subscription.site), event, subscription.state, at),
    exportedAt: null,
  };
}

/**
 * Hashes a network address. Whoever has the key and an address can tell whether it was this one; nobody can read it.
 */
function hashAddress(key: Buffer, address: string): string {
  return createHmac("sha256", key).update(address).digest("base64url");
}

function declarationOf(subscription: Selectable<SubscriptionTable>) {
  const { email, site, salutation, firstName, lastName, consents, categories, origin, originAddition } = subscription;
  return {
    ...{ email, site, salutation, firstName, lastName, consents: JSON.parse(consents), origin, originAddition },
    ...(categories && { categories: JSON.parse(categories) }),
  };
}
