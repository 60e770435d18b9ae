import type { Customer } from "../../services/customer-service.ts";
import type { Credentials } from "../../services/login-service.ts";
import type { LoginParts } from "./login-parts.ts";
import { findByClaims } from "./sessions.ts";

/** Finds what is known of the customer who is signed in; undefined when none is. */
export async function identify(
  { db, tokens, clock }: LoginParts,
  { login }: Credentials,
): Promise<Customer | undefined> {
  const at = clock();
  const claims = await tokens.readLogin(login, at);
  const session = claims && (await findByClaims(db, claims, at));
  if (!session) return undefined;
  const account = await db.selectFrom("account").selectAll().where("id", "=", session.accountId).executeTakeFirst();
  if (!account) return undefined;
  const { email, salutation, firstName, lastName, consents } = account;
  return {
    email,
    ...(salutation && { salutation }),
    ...(firstName && { firstName }),
    ...(lastName && { lastName }),
    consents: JSON.parse(consents),
  };
}
