import { normalizeName } from "../../../../client/rules/subscription.ts";
import type { NewsletterChange, NewsletterSubscription, SubscriberEvent } from "../../../../schemas/types.ts";
import type { SubscriptionTable } from "./newsletter-tables.ts";

type Form = Omit<NewsletterSubscription, "email">;
type EventData = SubscriberEvent["data"];

/** Columns and event data that the service itself maintains. They are deleted when an address is erased. */
type OwnName =
  | (
      | "id"
      | "site"
      | "email"
      | "mailbox"
      | "state"
      | "status"
      | "token"
      | "locale"
      | "voucher"
      | "consent"
      | "preferencesUrl"
    )
  | ("createdAt" | "requestedAt" | "changedAt" | "confirmedAt" | "lastOpenedAt" | "sendingStoppedAt");

/** A field of the sign-up form besides the address. Each has one name in the form, the columns and the events. */
type FieldName = Exclude<keyof SubscriptionTable | keyof Form | keyof EventData, OwnName>;

interface PersonalField<Name extends keyof SubscriptionTable & keyof Form & keyof EventData> {
  /** Returns the content of the column for a value of the form; without one, the empty column. */
  store(value?: Form[Name] | null): SubscriptionTable[Name];
  /** Returns the content of the column as the proof of consent, the export and the events have it. */
  show(column: SubscriptionTable[Name]): EventData[Name];
  /** Whether subscribers can change it, so whether `schemas/newsletter-change.schema.json` has it. */
  canChange: Name extends keyof NewsletterChange ? true : false;
  /** Whether the column stays or is emptied when the subscription ends. */
  atEnd: "stays" | "emptied";
}

const unchanged = <Column>(column: Column) => column;
const text = { store: (value?: string | null) => value || null, show: unchanged };
const name = { ...text, store: (value?: string | null) => normalizeName(value ?? "") || null };
const list = {
  store: (values?: readonly string[] | null) => JSON.stringify(values ?? []),
  show: (column: string) => JSON.parse(column),
};

/**
 * The personal data of a subscription. Storing, changing, ending, the proof of consent, the export and the events are
 * derived from it. A field that is missing here or in a schema doesn't compile. Nor does a column that is missing both
 * here and among those that the service maintains.
 */
const personalFields: { [Name in FieldName]: PersonalField<Name> } = {
  salutation: { store: (value) => value ?? null, show: unchanged, canChange: true, atEnd: "emptied" },
  firstName: { ...name, canChange: true, atEnd: "emptied" },
  lastName: { ...name, canChange: true, atEnd: "emptied" },
  consents: { ...list, canChange: true, atEnd: "emptied" },
  categories: { ...list, canChange: true, atEnd: "emptied" },
  origin: { store: (value) => value ?? "NEWSLETTER", show: unchanged, canChange: false, atEnd: "stays" },
  originAddition: { ...text, canChange: false, atEnd: "stays" },
};

export const fieldNames = Object.keys(personalFields) as FieldName[];

/** Returns the columns of a sign-up, or of fields that another store has exported. */
export function storeFields(form: { [Name in FieldName]?: Form[Name] | null }): Pick<SubscriptionTable, FieldName> {
  return mapFields(fieldNames, (name) => personalFields[name].store(form[name]));
}

/** Returns the columns that a subscriber changes. Absent fields stay as they are. */
export function storeChange(change: NewsletterChange): Partial<SubscriptionTable> {
  const form: { [Name in FieldName]?: Form[Name] | null } = change;
  const changed = fieldNames.filter((name) => personalFields[name].canChange && form[name] !== undefined);
  return mapFields(changed, (name) => personalFields[name].store(form[name]));
}

/** The columns that are emptied when a subscription ends. */
export const emptiedFields: Partial<SubscriptionTable> = mapFields(
  fieldNames.filter((name) => personalFields[name].atEnd === "emptied"),
  (name) => personalFields[name].store(),
);

/** Returns the fields of a subscription for the proof of consent, the export and the events. */
export function showFields(subscription: SubscriptionTable): Pick<EventData, FieldName> {
  return mapFields(fieldNames, (name) => personalFields[name].show(subscription[name]));
}

function mapFields<Values>(
  names: readonly (FieldName & keyof Values)[],
  compute: <Name extends FieldName & keyof Values>(name: Name) => Values[Name],
): Values {
  return Object.fromEntries(names.map((name) => [name, compute(name)])) as Values;
}
