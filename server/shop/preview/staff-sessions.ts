import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Database } from "../store/open-store.ts";
import type { StaffSessionTable } from "./staff-tables.ts";

/** A session that goes on. Times in milliseconds since 1970 UTC. */
export type StaffSession = Selectable<StaffSessionTable>;

const minute = 60_000;
/** How long a session goes on without a renewal, which pages make every five minutes, and at most. */
const limits = { idle: 30 * minute, absolute: 12 * 60 * minute };

/** Longest life of any token, in milliseconds. */
export const maxStaffTokenAge = limits.absolute;

export async function startStaffSession(db: Database, staffId: string, at: number): Promise<StaffSession> {
  const session = { id: randomUUID(), staffId, expiresAt: at + limits.idle, endsAt: at + limits.absolute };
  await db.insertInto("staffSession").values(session).execute();
  return session;
}

/** Undefined when the session has ended or the account is locked. */
export function findStaffSession(db: Database, id: string, at: number): Promise<StaffSession | undefined> {
  return db
    .selectFrom("staffSession")
    .innerJoin("staff", "staff.id", "staffSession.staffId")
    .selectAll("staffSession")
    .where("staffSession.id", "=", id)
    .where("staffSession.expiresAt", ">", at)
    .where("staff.locked", "=", 0)
    .executeTakeFirst();
}

/** @returns the session with its new end; undefined when it was ended meanwhile, which nothing undoes */
export async function extendStaffSession(
  db: Database,
  session: StaffSession,
  at: number,
): Promise<StaffSession | undefined> {
  const expiresAt = Math.min(at + limits.idle, session.endsAt);
  const { numUpdatedRows } = await db
    .updateTable("staffSession")
    .set({ expiresAt })
    .where("id", "=", session.id)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? { ...session, expiresAt } : undefined;
}

export async function endStaffSession(db: Database, id: string): Promise<void> {
  await db.deleteFrom("staffSession").where("id", "=", id).execute();
}

/** Signs a member of staff out everywhere. */
export async function endSessionsOf(db: Database, staffId: string): Promise<void> {
  await db.deleteFrom("staffSession").where("staffId", "=", staffId).execute();
}
