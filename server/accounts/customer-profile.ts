import { salutations } from "../../client/rules/salutations.ts";
import { consents, normalizeName, validateSubscription } from "../../client/rules/subscription.ts";
import { StartError } from "../platform/errors.ts";
import type { Database } from "../store/open-store.ts";
import { findAccount, updateAccount } from "./accounts.ts";

/** Options of the command. An empty text removes the value; a missing one leaves it. */
export interface CustomerOptions {
  salutation?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  /** Comma-separated consents. */
  consents?: string | undefined;
}

/**
 * Changes the profile of a customer.
 * @returns a line for the operator
 * @throws StartError when the address has no account, or naming every invalid option
 */
export async function setCustomer(db: Database, address: string, options: CustomerOptions): Promise<string> {
  const account = await findAccount(db, "customer", address);
  if (!account) throw new StartError([`${address} has no account`]);
  const faults = findFaults(account.email, options);
  if (faults.length > 0) throw new StartError(faults);
  const columns = columnsOf(options);
  if (Object.keys(columns).length === 0)
    throw new StartError(["account set needs --salutation, --first-name, --last-name or --consents"]);
  await updateAccount(db, account.id, columns);
  return `${account.email} changed`;
}

/** Names follow the rules of the newsletter sign-up, but nothing is required. */
const rules = { salutation: "optional", names: "optional", legals: false } as const;

function findFaults(
  email: string,
  { salutation = "", consents: listed = "", firstName, lastName }: CustomerOptions,
): string[] {
  const wrong = validateSubscription({ email, firstName, lastName, consents: [] }, rules).map(({ field }) => field);
  return [
    ...(["", ...salutations].includes(salutation) ? [] : [`--salutation must be one of ${salutations.join(", ")}`]),
    ...(wrong.includes("firstName") ? ["--first-name is no name"] : []),
    ...(wrong.includes("lastName") ? ["--last-name is no name"] : []),
    ...(isEach(listOf(listed), consents) ? [] : [`--consents must be some of ${consents.join(",")}`]),
  ];
}

function columnsOf({ salutation, firstName, lastName, consents: listed }: CustomerOptions) {
  return {
    ...(salutation !== undefined && { salutation: salutation || null }),
    ...(firstName !== undefined && { firstName: normalizeName(firstName) || null }),
    ...(lastName !== undefined && { lastName: normalizeName(lastName) || null }),
    ...(listed !== undefined && { consents: JSON.stringify(listOf(listed)) }),
  };
}

function listOf(text: string): string[] {
  return [...new Set(text.split(",").filter((entry) => entry !== ""))];
}

function isEach(entries: readonly string[], known: readonly string[]): boolean {
  return entries.every((entry) => known.includes(entry));
}
