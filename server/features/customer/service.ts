import type { Request } from "express";

/** The data of a customer that forms are prefilled with. */
export interface Customer {
  email: string;
  salutation?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  consents: string[];
}

/** Finds the signed-in customer of a request. */
export type Identify = (request: Request) => Promise<Customer | undefined>;

/** The lookups of a request's customer. */
export interface CustomerSessions {
  identify: Identify;
  /**
   * Finds the address of the customer who uses a browser, also by a long-term token alone. It doesn't prove that the
   * customer is signed in.
   */
  findKnownEmail(request: Request): Promise<string | undefined>;
}
