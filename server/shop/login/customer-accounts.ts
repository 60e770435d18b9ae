import type { SalutationValue } from "../../../client/rules/salutations.ts";
import type { Consent } from "../../../client/rules/subscription.ts";
import { createAccounts } from "../sign-in/accounts.ts";
import { loginSessions } from "./sessions.ts";

/** What a new customer's account is told beside address and password. */
interface NewCustomer {
  salutation?: SalutationValue;
  firstName?: string;
  lastName?: string;
  consents?: readonly Consent[];
}

/** The accounts of customers. */
export const customerAccounts = createAccounts("account", {
  kind: "customer",
  sessions: loginSessions,
  columnsOf: ({ salutation, firstName, lastName, consents = [] }: NewCustomer) => ({
    salutation: salutation ?? null,
    firstName: firstName ?? null,
    lastName: lastName ?? null,
    consents: JSON.stringify(consents),
  }),
});
