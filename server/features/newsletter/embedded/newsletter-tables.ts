import type { SalutationValue } from "../../../../client/rules/salutations.ts";
import type { Moment } from "../../../../client/rules/time.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    newsletterSubscription: SubscriptionTable;
    newsletterToken: TokenTable;
    consentRecord: ConsentRecordTable;
    erasedConsent: ErasedConsentTable;
    voucher: VoucherTable;
    voucherCode: VoucherCodeTable;
    voucherWait: VoucherWaitTable;
    newsletterReport: ReportTable;
  }
}

export const states = ["pending", "confirmed", "withdrawn", "refused", "expired"] as const;
/**
 * The state of a subscription: signed up, confirmed by the owner of the mailbox, ended, refused by the owner, or not
 * confirmed in time.
 */
export type State = (typeof states)[number];

export interface SubscriptionTable {
  id: string;
  site: string;
  /** Normalized address, unique per site. */
  email: string;
  /** The mailbox behind the address; null in a row that an earlier release has just added. */
  mailbox: string | null;
  salutation: SalutationValue | null;
  firstName: string | null;
  lastName: string | null;
  /** A list as JSON. */
  consents: string;
  /** The chosen topics, as a JSON list. */
  categories: string;
  origin: string;
  originAddition: string | null;
  state: State;
  createdAt: Moment;
  /** The last sign-up. */
  requestedAt: Moment;
  changedAt: Moment;
  /** The last confirmation, of this sign-up or an earlier one. */
  confirmedAt: Moment | null;
  /** The last opening of a newsletter that the sender has reported. */
  lastOpenedAt: Moment | null;
  /** When sending stopped because no newsletter was opened for long. */
  sendingStoppedAt: Moment | null;
}

export interface TokenTable {
  /** SHA-256 of the token, in base64url. */
  hash: string;
  subscriptionId: string;
  /** `subscriber` allows everything, `unsubscribe` only to end the subscription and to report openings. */
  purpose: "subscriber" | "unsubscribe";
  /** 1 if an `unsubscribe` token also opens the subscriber's page, as long as the subscription lasts; else 0. */
  canChange: number;
  /** The email that contains the token; `newsletter` for the token of the newsletter's sender. */
  mailId: string;
  /** Until when the token confirms a sign-up. */
  expiresAt: Moment | null;
  /** When the sign-up was confirmed or the subscription ended; the token confirms and changes nothing after that. */
  usedAt: Moment | null;
  /** When the token was used to request another email. */
  resentAt: Moment | null;
}

/** A declaration. It is deleted only with its subscription, and only `exportedAt` ever changes. */
interface ConsentRecordTable {
  id: string;
  subscriptionId: string;
  event: ConsentEvent;
  at: Moment;
  /** The values of the form, as JSON. */
  declaration: string;
  /** The text that the form showed. This column and the next two are null for events without a form of the shop. */
  text: string | null;
  /** The beginning of the text's SHA-256. */
  textVersion: string | null;
  language: string | null;
  /** HMAC of the caller's network address; null if the service acted by itself. */
  networkHash: string | null;
  /** The mail that was sent, or whose link was used. */
  mailId: string | null;
  /** The deadline for reporting it to a public register; null if that isn't required. */
  exportDueAt: Moment | null;
  exportedAt: Moment | null;
}

/** A declaration of an erased address that the register must still get. Deleted once it is exported. */
interface ErasedConsentTable {
  id: string;
  email: string;
  event: ConsentEvent;
  at: Moment;
  exportDueAt: Moment;
}

/** `imported` is the operator's declaration for a consent that was imported without a proof. */
export type ConsentEvent = "requested" | "confirmed" | "changed" | "refused" | "withdrawn" | "stopped" | "imported";

interface VoucherTable {
  code: string;
  subscriptionId: string;
  site: string;
  /** Discount in percent. */
  discount: number;
  /** 1 if it can be used once only, else 0: SQLite has no booleans. */
  singleUse: number;
  issuedAt: Moment;
  /** The moment at which it expires; null if it never does. */
  validUntil: Moment | null;
}

/** A code of the shop's till. It stays when its subscriber is erased, so that nobody else gets it. */
interface VoucherCodeTable {
  code: string;
  site: string;
  importedAt: Moment;
  /** When a subscriber got it; null as long as it is left. */
  takenAt: Moment | null;
}

/** A subscriber whose welcome email waits for a code. */
interface VoucherWaitTable {
  subscriptionId: string;
  site: string;
  since: Moment;
}

/** A report of the newsletter's sender, stored to recognize a repetition. */
interface ReportTable {
  /** HMAC of its id. */
  hash: string;
  receivedAt: Moment;
}
