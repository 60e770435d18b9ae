import { normalizeEmail } from "../../../client/rules/email.ts";
import { UnavailableError } from "../../errors.ts";
import type { Customer } from "../../services/customer-service.ts";
import type { Database } from "../store/open-store.ts";

/**
 * Adds to what an account says what its address has confirmed at the newsletter. The account's own name counts first,
 * then that of the sign-up on this site, then that of the latest on another. Of consents, only this site's are added,
 * as they are given to a site.
 * @param site - the site's code
 * @throws UnavailableError when the store can't be read
 */
export async function addSignUps(db: Database, customer: Customer, site: string): Promise<Customer> {
  const confirmed = await db
    .selectFrom("newsletterSubscription")
    .select(["site", "salutation", "firstName", "lastName", "consents"])
    .where("email", "=", normalizeEmail(customer.email))
    .where("state", "=", "confirmed")
    .orderBy("confirmedAt", "desc")
    .execute()
    .catch((cause: unknown) => {
      throw new UnavailableError("the store can't be read", { cause });
    });
  const [here, elsewhere] = [
    confirmed.filter((signUp) => signUp.site === site),
    confirmed.filter((signUp) => signUp.site !== site),
  ];
  const known = [customer, ...here, ...elsewhere];
  const first = (field: "salutation" | "firstName" | "lastName") =>
    known.find((one) => one[field])?.[field] ?? undefined;
  const given = here.flatMap(({ consents }): string[] => JSON.parse(consents));
  return {
    email: customer.email,
    salutation: first("salutation"),
    firstName: first("firstName"),
    lastName: first("lastName"),
    consents: [...new Set([...customer.consents, ...given])],
  };
}
