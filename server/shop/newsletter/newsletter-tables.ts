import type { Moment } from "../../../client/rules/time.ts";
import type { State } from "./states.ts";

declare module "../store/tables.ts" {
  interface Tables {
    newsletterSubscription: SubscriptionTable;
    newsletterToken: TokenTable;
    consentRecord: ConsentRecordTable;
    voucher: VoucherTable;
  }
}

export interface SubscriptionTable {
  id: string;
  site: string;
  /** As normalised; with the site, there is one subscription of it. */
  email: string;
  salutation: string | null;
  firstName: string | null;
  lastName: string | null;
  /** List as JSON. */
  consents: string;
  origin: string;
  originAddition: string | null;
  state: State;
  createdAt: Moment;
  /** Of the last sign-up. */
  requestedAt: Moment;
  changedAt: Moment;
  /** Of the last confirmation; null when it never was confirmed. */
  confirmedAt: Moment | null;
  /** When a mail was last seen to be read: at the confirmation, and whenever a sending system writes it here. */
  lastOpenedAt: Moment | null;
  /** Since when nothing is sent because nothing was opened for long. */
  sendingStoppedAt: Moment | null;
}

export interface TokenTable {
  /** SHA-256 of the token, in base64url. */
  hash: string;
  subscriptionId: string;
  /** What the token allows: all that a subscriber may do, or to end the subscription. */
  purpose: "subscriber" | "unsubscribe";
  /** The mail that brought it. */
  mailId: string;
  /** Until when it confirms; null when it doesn't end. */
  expiresAt: Moment | null;
  /** When the question it was for was settled: from then on it confirms nothing new. */
  usedAt: Moment | null;
  /** When a new mail was asked for with it. */
  resentAt: Moment | null;
}

/** What was declared and when. Rows are added and, with their subscription, removed; only `exportedAt` is ever set later. */
export interface ConsentRecordTable {
  id: string;
  subscriptionId: string;
  event: ConsentEvent;
  at: Moment;
  /** The values of the form, as JSON. */
  declaration: string;
  /** What the form said, word by word; null where no form of ours was shown, as for the two that follow. */
  text: string | null;
  /** Begin of the text's SHA-256. */
  textVersion: string | null;
  language: string | null;
  /** HMAC of the network address, under a key of the store; null when nobody called. */
  networkHash: string | null;
  /** The mail that was sent upon it, or that brought the link that was used. */
  mailId: string | null;
  /** Until when a public register has to have it; null when none has to. */
  exportDueAt: Moment | null;
  exportedAt: Moment | null;
}

export type ConsentEvent = "requested" | "confirmed" | "changed" | "refused" | "withdrawn" | "stopped";

interface VoucherTable {
  code: string;
  subscriptionId: string;
  site: string;
  /** In percent. */
  discount: number;
  /** 1 when it can be used once, else 0: SQLite has no booleans. */
  singleUse: number;
  issuedAt: Moment;
  /** The first moment at which it isn't valid any more; null when it has no end. */
  validUntil: Moment | null;
}
