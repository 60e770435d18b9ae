import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { normalizeEmail } from "../../../client/newsletter/rules.ts";
import { loginNameOf } from "../login/accounts.ts";
import { hashPassword } from "../login/password-hash.ts";
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

/** Sets a new password, which ends what was begun with the old one. */
export async function setStaffPassword(db: Database, { id }: StaffMember, password: string): Promise<void> {
  await keepStaffPassword(db, id, await hashPassword(password));
  await endSessionsOf(db, id);
}

/** Keeps the same password's newer hash. */
export async function keepStaffPassword(db: Database, id: string, passwordHash: string): Promise<void> {
  await db.updateTable("staff").set({ passwordHash }).where("id", "=", id).execute();
}

/** Keeps a member from signing in and signs them out everywhere, or lets them in again. */
export async function setStaffLocked(db: Database, { id }: StaffMember, locked: boolean): Promise<void> {
  await db
    .updateTable("staff")
    .set({ locked: Number(locked) })
    .where("id", "=", id)
    .execute();
  if (locked) await endSessionsOf(db, id);
}

/** Removes a member, with their sessions. */
export async function removeStaff(db: Database, { id }: StaffMember): Promise<void> {
  await db.deleteFrom("staff").where("id", "=", id).execute();
}
