import type { SubscriptionFault } from "../../client/rules/subscription.ts";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { NewsletterChange, NewsletterSubscription } from "../../schemas/types.ts";
import type { Site } from "../sites/countries.ts";
import type { Failed, RateLimited } from "./failed.ts";

/** The paths at which a newsletter service takes sign-ups; below them, what a subscriber may do. */
export const subscriberPaths = ["internal", "private"].map(
  (part) => `/service/newsletter/api/${part}/newsletter-subscribers`,
);

/**
 * Longest time for one call of a real newsletter service, with script or without. The browser waits for 15 s: were it
 * told of a failure before, that could be of a sign-up which is then accepted
 * (test/server/upstreams/newsletter.test.ts).
 */
export const newsletterDeadline: Milliseconds = 20 * second;

/** Who asks: from a page of which site, and from which network address. */
export interface Caller {
  site: Site;
  address: string | undefined;
}

/** Where a subscription can stand, as callers are told. */
export const subscriptionStatuses = ["NONE", "WAITING_FOR_DOI", "SUBSCRIBED", "UNSUBSCRIBED"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export interface SubscriptionView {
  status: SubscriptionStatus;
  site: string;
  consents: string[];
}

type InvalidToken = Failed<"invalidToken">;

interface Invalid extends Failed<"invalid"> {
  /** The faults in the order of the form, with the keys of their texts. */
  faults: SubscriptionFault[];
}

/** How a sign-up ends. `accepted` doesn't tell whether the address was known, or a mail is sent. */
export type SubscribeResult = { status: "accepted" } | Invalid | RateLimited;
export type ReadResult = { status: "found"; subscription: SubscriptionView } | InvalidToken;
/** How a confirmation ends. `repeated` tells whether the same link has confirmed before. */
export type ConfirmResult = { status: "subscribed"; repeated: boolean } | Failed<"expired"> | InvalidToken;
export type ChangeResult = { status: "changed"; fields: NewsletterChange } | Invalid | InvalidToken;
export type EndResult = { status: "ended" } | InvalidToken;
export type OpenedResult = { status: "noted" } | InvalidToken;
export type ResendResult = { status: "accepted" } | InvalidToken | RateLimited;

/** What pages ask of the newsletter service; its other calls come from programs, which ask a real one themselves. */
export type NewsletterForPages = Omit<NewsletterService, "change" | "noteOpened">;

/**
 * The newsletter service, be it the embedded or a real one. Tokens come with mails. Each call throws UnavailableError
 * where the service can't answer.
 */
export interface NewsletterService {
  /** Takes a sign-up, which its mail then asks to confirm. */
  subscribe(request: NewsletterSubscription, caller: Caller): Promise<SubscribeResult>;
  read(token: string, caller: Caller): Promise<ReadResult>;
  confirm(token: string, caller: Caller): Promise<ConfirmResult>;
  /** Takes note that the mailbox's owner didn't sign up. */
  refuse(token: string, caller: Caller): Promise<EndResult>;
  change(token: string, fields: NewsletterChange, caller: Caller): Promise<ChangeResult>;
  unsubscribe(token: string, caller: Caller): Promise<EndResult>;
  /** Takes note that a subscriber has opened a newsletter. */
  noteOpened(token: string): Promise<OpenedResult>;
  /** Sends the confirmation mail of an unconfirmed sign-up anew, once per mail. */
  resend(token: string, caller: Caller): Promise<ResendResult>;
}
