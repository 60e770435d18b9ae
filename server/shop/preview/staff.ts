import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { normalizeEmail } from "../../../client/rules/subscription.ts";
import { loginNameOf } from "../login/accounts.ts";
import { createAccountActions } from "../sign-in/account-actions.ts";
import { hashPassword } from "../sign-in/password-hash.ts";
import type { Database } from "../store/open-store.ts";
import { endSessionsOf } from "./staff-sessions.ts";
import type { StaffTable } from "./staff-tables.ts";

export type StaffMember = Selectable<StaffTable>;

export function findStaff(db: Database, email: string): Promise<StaffMember | undefined> {
  return db.selectFrom("staff").selectAll().where("loginName", "=", loginNameOf(email)).executeTakeFirst();
}

/** @returns whether the member was added: an address has one account */
export async function addStaff(db: Database, email: string, password: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows: added = 0n } = await db
    .insertInto("staff")
    .values({
      ...{ id: randomUUID(), loginName: loginNameOf(email), email: normalizeEmail(email), locked: 0 },
      passwordHash: await hashPassword(password),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added > 0n;
}

export const {
  setPassword: setStaffPassword,
  keepPassword: keepStaffPassword,
  setLocked: setStaffLocked,
  remove: removeStaff,
} = createAccountActions("staff", endSessionsOf);
