import type { Moment } from "../../../client/rules/time.ts";
import type { Customer } from "../../services/customer-service.ts";
import type { Credentials } from "../../services/login-service.ts";
import type { LoginParts } from "./login-parts.ts";
import { type Claims, findByClaims } from "./sessions.ts";

/** Finds what is known of the customer who is signed in; undefined when none is. */
export async function identify(parts: LoginParts, { login }: Credentials): Promise<Customer | undefined> {
  const at = parts.clock();
  const account = await findAccount(parts, await parts.tokens.readLogin(login, at), at);
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

/** Finds the address of the customer whose session a browser has, by either of its credentials. */
export async function findKnownEmail(parts: LoginParts, { login, longterm }: Credentials): Promise<string | undefined> {
  const { clock, tokens } = parts;
  const at = clock();
  const account =
    (await findAccount(parts, await tokens.readLogin(login, at), at)) ??
    (await findAccount(parts, await tokens.readLongterm(longterm, at), at));
  return account?.email;
}

async function findAccount({ db }: LoginParts, claims: Claims | undefined, at: Moment) {
  const session = claims && (await findByClaims(db, claims, at));
  return session && db.selectFrom("account").selectAll().where("id", "=", session.accountId).executeTakeFirst();
}
