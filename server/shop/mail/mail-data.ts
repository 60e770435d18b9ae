import type { Moment } from "../../../client/rules/time.ts";

export interface Voucher {
  code: string;
  /** Discount in percent. */
  discount: number;
  singleUse: boolean;
  /** The first moment at which the voucher isn't valid any more; null when it has no end. */
  validUntil: Moment | null;
}

/** The data of each kind of mail. Its links are written with the tokens, which nothing else keeps. */
export interface MailData {
  /** Asks whether the sign-up is meant. */
  confirm: { subscriberToken: string; unsubscribeToken: string };
  /** Follows the confirmation; without a voucher when the subscriber has had one that is over. */
  welcome: { unsubscribeToken: string; voucher?: Voucher };
  /** Tells that somebody signed up the address of a subscriber. */
  alreadySubscribed: { unsubscribeToken: string };
}

export type MailKind = keyof MailData;
