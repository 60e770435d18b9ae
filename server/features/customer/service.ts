import type { Caller } from "../../http/cookies.ts";

/** The data of a customer that forms are prefilled with. */
export interface Customer {
  email: string;
  salutation?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  consents: string[];
}

/** The lookups of a request's customer. A real login service alone knows its customers: then both find nobody. */
export interface CustomerSessions {
  /** Finds the signed-in customer. */
  identify(caller: Caller): Promise<Customer | undefined>;
  /**
   * Finds the address of the customer who uses a browser, also by a long-term token alone. It doesn't prove that the
   * customer is signed in.
   */
  findKnownEmail(caller: Caller): Promise<string | undefined>;
}
