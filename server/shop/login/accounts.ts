import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Consent } from "../../../client/rules/subscription.ts";
import { normalizeEmail } from "../../../client/rules/subscription.ts";
import type { SalutationValue } from "../../../client/widgets/salutation/salutations.ts";
import { createAccountActions } from "../sign-in/account-actions.ts";
import { hashPassword } from "../sign-in/password-hash.ts";
import type { Database } from "../store/open-store.ts";
import type { AccountTable } from "./login-tables.ts";
import { endSessionsOf } from "./sessions.ts";

export type Account = Selectable<AccountTable>;

export interface NewAccount {
  email: string;
  password: string;
  salutation?: SalutationValue;
  firstName?: string;
  lastName?: string;
  consents?: Consent[];
}

/** By what an address is looked up. */
export function loginNameOf(email: string): string {
  return normalizeEmail(email).toLowerCase();
}

export function findAccount(db: Database, email: string): Promise<Account | undefined> {
  return db.selectFrom("account").selectAll().where("loginName", "=", loginNameOf(email)).executeTakeFirst();
}

/** @returns whether it was added: an address has one account */
export async function addAccount(db: Database, { email, password, ...customer }: NewAccount): Promise<boolean> {
  const { salutation = null, firstName = null, lastName = null, consents = [] } = customer;
  const { numInsertedOrUpdatedRows: added = 0n } = await db
    .insertInto("account")
    .values({
      ...{ id: randomUUID(), loginName: loginNameOf(email), email: normalizeEmail(email), locked: 0 },
      ...{ salutation, firstName, lastName, consents: JSON.stringify(consents) },
      passwordHash: await hashPassword(password),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added > 0n;
}

export const {
  setPassword,
  keepPassword,
  setLocked,
  remove: removeAccount,
} = createAccountActions("account", endSessionsOf);
