import type { Request } from "express";

/** What the shop knows of a customer, as its forms take it. */
export interface Customer {
  email: string;
  salutation?: string;
  firstName?: string;
  lastName?: string;
  consents: string[];
}

/** Tells which customer is signed in; undefined when none is. */
export type Identify = (request: Request) => Promise<Customer | undefined>;
