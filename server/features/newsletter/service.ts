import type { IslandMarkup } from "../../../client/islands/Island.tsx";
import type { NewsletterPlace } from "../../../client/rules/newsletter-block.ts";
import type { SubscriptionFault } from "../../../client/rules/subscription.ts";
import { type Milliseconds, type Moment, second } from "../../../client/rules/time.ts";
import type { NewsletterChange, NewsletterSubscription, SubscriberEvent } from "../../../schemas/types.ts";
import type { Failed, RateLimited } from "../../platform/errors.ts";
import type { Site } from "../../sites/countries.ts";
import type { LinkForm } from "../../sites/site.ts";

/** The paths of sign-ups. The operations on a subscription are below them. */
export const subscriberPaths = ["internal", "private"].map(
  (part) => `/service/newsletter/api/${part}/newsletter-subscribers`,
);

/** The subscriber's page. */
export const preferencesPath = "/newsletter/preferences";

/**
 * The deadline for a call of a real newsletter service. It is longer than the browser's 15 s. Otherwise visitors could
 * see a failure, and the sign-up be accepted after that.
 */
export const newsletterDeadline: Milliseconds = 20 * second;

export interface NewsletterCaller {
  /** The site of the caller's page. */
  site: Site;
  /** The caller's network address. */
  address: string | undefined;
}

/** The statuses of subscriptions in answers. */
export const subscriptionStatuses = ["NONE", "WAITING_FOR_DOI", "SUBSCRIBED", "UNSUBSCRIBED"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

interface SubscriptionView {
  status: SubscriptionStatus;
  site: string;
  consents: string[];
}

/** A subscription of an address. Only the owner of the address may see it. */
export interface KnownSubscription {
  site: string;
  status: SubscriptionStatus;
  salutation: string | null;
  firstName: string | null;
  lastName: string | null;
  consents: string[];
}

/**
 * Lists the subscriptions of a normalized address, the latest confirmed first.
 * @throws UnavailableError if the database can't be read
 */
export type ListSubscriptions = (email: string) => Promise<KnownSubscription[]>;

/** What subscribers see and change on their page. */
export type Preferences = Pick<
  SubscriberEvent["data"],
  "salutation" | "firstName" | "lastName" | "consents" | "categories"
>;

type InvalidToken = Failed<"invalidToken">;

interface Invalid extends Failed<"invalid"> {
  /** The faults in the order of the form, with the keys of their texts. */
  faults: SubscriptionFault[];
}

/** `accepted` reveals neither whether the address is known nor whether an email is sent. */
export type SubscribeResult = { status: "accepted" } | Invalid | RateLimited;
export type ReadResult = { status: "found"; subscription: SubscriptionView } | InvalidToken;
/** `subscribed` even if the link was used before. Only its first use has the code of the voucher, if there is one. */
export type ConfirmResult =
  | { status: "subscribed"; voucherCode?: string | undefined }
  | Failed<"expired">
  | InvalidToken;
/** `notOffered`: the site of the subscription doesn't offer some of the categories. */
export type ChangeResult =
  | { status: "changed"; fields: NewsletterChange }
  | { status: "notOffered"; site: Site }
  | Invalid
  | InvalidToken;
/** `endOnly`: the token may only end the subscription. `ended`: that has happened. */
export type PreferencesResult =
  | { status: "found"; site: string; isConfirmed: boolean; preferences: Preferences }
  | { status: "endOnly" | "ended"; site: string }
  | InvalidToken;
export type EndResult = { status: "ended" } | InvalidToken;
export type ResendResult = { status: "accepted" } | InvalidToken | RateLimited;

/**
 * The newsletter service for the pages, embedded or real. Tokens come from links in emails. Every call throws
 * UnavailableError if the service can't answer.
 */
export interface NewsletterService {
  /** Accepts a sign-up, and sends the email that asks for confirmation. */
  subscribe(request: NewsletterSubscription, caller: NewsletterCaller): Promise<SubscribeResult>;
  read(token: string, caller: NewsletterCaller): Promise<ReadResult>;
  confirm(token: string, caller: NewsletterCaller): Promise<ConfirmResult>;
  /** Ends a sign-up that the owner of the mailbox didn't make. */
  refuse(token: string, caller: NewsletterCaller): Promise<EndResult>;
  unsubscribe(token: string, caller: NewsletterCaller): Promise<EndResult>;
  /** Sends the confirmation email again. The link of each email can request this once. */
  resend(token: string, caller: NewsletterCaller): Promise<ResendResult>;
  /** The calls of the subscriber's page. */
  preferences: PreferencesService;
}

/** The calls of the subscriber's page. */
interface PreferencesService {
  read(token: string, caller: NewsletterCaller): Promise<PreferencesResult>;
  /** Changes what the page has shown. */
  change(token: string, change: NewsletterChange, caller: NewsletterCaller): Promise<ChangeResult>;
  /**
   * Sends the email with the link to the page if the address is subscribed. The answer reveals nothing about it.
   * Undefined if the service sends no such email: then the page that unsubscribes is in place of the form that asks for
   * it.
   */
  request?(email: string, caller: NewsletterCaller): Promise<SubscribeResult>;
}

/** Returns the newsletter service of a site. */
export type NewsletterOf = (site: Site) => NewsletterService;

export interface NewsletterMail {
  id: string;
  site: string;
  recipient: string;
  state: "queued" | "sent" | "failed";
  /** When it was sent or is due. */
  at: Moment;
  /** Includes all headers in order. Undefined once the content is deleted. */
  message: { subject: string; headers: { name: string; value: string }[]; text: string; html: string } | undefined;
}

/** Reads the newsletter's emails, which contain addresses, and links that confirm and unsubscribe. */
export interface MailReader {
  /** Lists emails, newest first. */
  list(limit: number): Promise<NewsletterMail[]>;
  find(id: string): Promise<NewsletterMail | undefined>;
}

/**
 * Returns a site's sign-up block as an island. It is rendered at the first call for a place, and then cached.
 * @param fragment - the prefix of the ids inside, followed by the site's code
 * @param links - the form of the links inside; by default, they are relative
 */
export type NewsletterIslands = (
  site: Site,
  place: NewsletterPlace,
  fragment: string,
  links?: LinkForm,
) => IslandMarkup;
