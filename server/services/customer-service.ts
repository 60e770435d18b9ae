import type { Request } from "express";

/** What the shop knows of a customer, as its forms take it. */
export interface Customer {
  email: string;
  salutation?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  consents: string[];
}

/** Tells which customer is signed in; undefined when none is. */
export type Identify = (request: Request) => Promise<Customer | undefined>;

/**
 * Tells the address of the customer whose browser this is, also when a long-term token is all that is left of their
 * session; undefined when nobody's is known. It proves nothing of who sits there.
 */
export type FindKnownEmail = (request: Request) => Promise<string | undefined>;
