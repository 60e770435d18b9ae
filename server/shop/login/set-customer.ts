import { salutations } from "../../../client/rules/salutations.ts";
import { consents, normalizeName, validateSubscription } from "../../../client/rules/subscription.ts";
import { StartError } from "../../errors.ts";
import type { Database } from "../store/open-store.ts";
import { customerAccounts } from "./customer-accounts.ts";

/** What an operator sets, by the names of the options. An empty text removes what is known; without one, it stays. */
export interface CustomerOptions {
  salutation?: string | undefined;
  "first-name"?: string | undefined;
  "last-name"?: string | undefined;
  /** Consents, with commas between. */
  consents?: string | undefined;
}

/**
 * Sets what the shop knows of a customer beside the address.
 * @returns a line that says what was done
 * @throws StartError when the address has no account, or naming every option that is wrong
 */
export async function setCustomer(db: Database, address: string, options: CustomerOptions): Promise<string> {
  const account = await customerAccounts.find(db, address);
  if (!account) throw new StartError([`${address} has no account`]);
  const faults = findFaults(account.email, options);
  if (faults.length > 0) throw new StartError(faults);
  const columns = columnsOf(options);
  if (Object.keys(columns).length === 0)
    throw new StartError(["account set needs --salutation, --first-name, --last-name or --consents"]);
  await db.updateTable("account").set(columns).where("id", "=", account.id).execute();
  return `${account.email} changed`;
}

/** The rules for names are those of the sign-up; nothing is required here. */
const rules = { salutation: "optional", names: "optional", legals: false } as const;

function findFaults(email: string, { salutation = "", consents: listed = "", ...names }: CustomerOptions): string[] {
  const [firstName, lastName] = [names["first-name"], names["last-name"]];
  const wrong = validateSubscription({ email, firstName, lastName, consents: [] }, rules).map(({ field }) => field);
  return [
    ...(["", ...salutations].includes(salutation) ? [] : [`--salutation must be one of ${salutations.join(", ")}`]),
    ...(wrong.includes("firstName") ? ["--first-name is no name"] : []),
    ...(wrong.includes("lastName") ? ["--last-name is no name"] : []),
    ...(isEach(listOf(listed), consents) ? [] : [`--consents must be some of ${consents.join(",")}`]),
  ];
}

function columnsOf({ salutation, "first-name": firstName, "last-name": lastName, consents: listed }: CustomerOptions) {
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
