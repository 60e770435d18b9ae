import type { Moment } from "../../../client/rules/time.ts";
import type { State } from "./states.ts";

declare module "../store/tables.ts" {
  interface Tables {
    newsletterSubscription: SubscriptionTable;
    newsletterToken: TokenTable;
    consentRecord: ConsentRecordTable;
    erasedConsent: ErasedConsentTable;
    voucher: VoucherTable;
  }
}

export interface SubscriptionTable {
  id: string;
  site: string;
  /** Normalised e-mail address; a site has one subscription of it. */
  email: string;
  salutation: string | null;
  firstName: string | null;
  lastName: string | null;
  /** List of the consents as JSON. */
  consents: string;
  /** List of what the newsletter is to be about, as JSON; null when nothing was chosen. */
  categories: string | null;
  origin: string;
  originAddition: string | null;
  state: State;
  createdAt: Moment;
  /** When the last sign-up came. */
  requestedAt: Moment;
  changedAt: Moment;
  /** When it was last confirmed; null when it never was. */
  confirmedAt: Moment | null;
  /** When a newsletter was last opened, as who sends it has reported; earlier releases begin with the confirmation. */
  lastOpenedAt: Moment | null;
  /** Since when nothing is sent, as no mail was opened for long; null while mails are sent. */
  sendingStoppedAt: Moment | null;
}

export interface TokenTable {
  /** SHA-256 of the token, in base64url. */
  hash: string;
  subscriptionId: string;
  /** What the token allows: all that a subscriber may do, or only to end the subscription. */
  purpose: "subscriber" | "unsubscribe";
  /** Id of the mail that holds the token; `newsletter` for that of whoever sends the newsletter: see sender-tokens.ts. */
  mailId: string;
  /** Until when the token confirms a sign-up; null when that has no end. */
  expiresAt: Moment | null;
  /** When the question of its mail was settled, after which the token confirms nothing new. */
  usedAt: Moment | null;
  /** When a new mail was asked for with the token. */
  resentAt: Moment | null;
}

/** A declaration. Rows are added, and removed with their subscription; `exportedAt` alone is ever set later. */
export interface ConsentRecordTable {
  id: string;
  subscriptionId: string;
  event: ConsentEvent;
  at: Moment;
  /** The values of the form, as JSON. */
  declaration: string;
  /** The text that the form has shown, word by word; this and the next two are null where no form of ours was shown. */
  text: string | null;
  /** Beginning of the text's SHA-256. */
  textVersion: string | null;
  language: string | null;
  /** HMAC of the caller's network address, under a key of the store; null when the service acted by itself. */
  networkHash: string | null;
  /** Id of the mail that was sent upon it, or whose link was used. */
  mailId: string | null;
  /** Until when a public register has to have it; null when none has to. */
  exportDueAt: Moment | null;
  exportedAt: Moment | null;
}

/** What a register has yet to know of an address that was erased. A row is removed once it is exported. */
interface ErasedConsentTable {
  id: string;
  email: string;
  event: ConsentEvent;
  at: Moment;
  exportDueAt: Moment;
}

export type ConsentEvent = "requested" | "confirmed" | "changed" | "refused" | "withdrawn" | "stopped";

interface VoucherTable {
  code: string;
  subscriptionId: string;
  site: string;
  /** Discount in percent. */
  discount: number;
  /** 1 when it can be used once, else 0, as SQLite has no booleans. */
  singleUse: number;
  issuedAt: Moment;
  /** The first moment at which it isn't valid any more; null when it has no end. */
  validUntil: Moment | null;
}
