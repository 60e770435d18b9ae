import type { Moment } from "../../../client/rules/time.ts";

export interface Voucher {
  code: string;
  /** In percent. */
  discount: number;
  singleUse: boolean;
  /** The first moment at which it isn't valid any more; null when it has no end. */
  validUntil: Moment | null;
}

/** What each kind of mail tells. Tokens are needed to write its links; nothing else keeps them. */
export interface MailData {
  /** Asks whether the sign-up is meant. */
  confirm: { subscriberToken: string; unsubscribeToken: string };
  /** Follows the confirmation. No voucher where the subscriber has had one that is over. */
  welcome: { unsubscribeToken: string; voucher?: Voucher };
  /** Tells that somebody signed up the address of a subscriber. */
  alreadySubscribed: { unsubscribeToken: string };
}

export type MailKind = keyof MailData;
