import type { Caller } from "../../http/cookies.ts";

/** The data of a customer that forms are prefilled with. */
export interface Customer {
  /** Empty if an identity provider has verified none. */
  email: string;
  salutation?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  consents: string[];
}

/**
 * The lookups of a request's customer. If a site has a real login service, only that knows its customers: then both
 * find nobody.
 */
export interface CustomerSessions {
  /** Finds the signed-in customer. */
  identify(caller: Caller): Promise<Customer | undefined>;
  /**
   * Finds the address of the customer who uses a browser, even by a long-term token alone. This is no proof that the
   * customer is signed in.
   */
  findKnownEmail(caller: Caller): Promise<string | undefined>;
  /**
   * Removes the clock of a browser whose session has ended.
   * @returns values of Set-Cookie headers; empty if the session hasn't ended, or if only a real service knows that
   */
  removeEndedClock(caller: Caller): Promise<string[]>;
}
