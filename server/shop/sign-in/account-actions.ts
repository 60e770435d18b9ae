import type { Database } from "../store/open-store.ts";
import { hashPassword } from "./password-hash.ts";

/** Who has an account. */
interface Owner {
  id: string;
}

/**
 * What happens to an account once it is there.
 * @param table - which accounts
 * @param endSessionsOf - signs an account out everywhere
 */
export function createAccountActions(
  table: "account" | "staff",
  endSessionsOf: (db: Database, id: string) => Promise<void>,
) {
  return { setPassword, keepPassword, setLocked, remove };

  /** Sets a new password, which ends what was begun with the old one. */
  async function setPassword(db: Database, { id }: Owner, password: string): Promise<void> {
    await keepPassword(db, id, await hashPassword(password));
    await endSessionsOf(db, id);
  }

  /** Keeps the same password's newer hash. */
  async function keepPassword(db: Database, id: string, passwordHash: string): Promise<void> {
    await db.updateTable(table).set({ passwordHash }).where("id", "=", id).execute();
  }

  /** Keeps somebody from signing in and signs them out everywhere, or lets them in again. */
  async function setLocked(db: Database, { id }: Owner, locked: boolean): Promise<void> {
    await db
      .updateTable(table)
      .set({ locked: Number(locked) })
      .where("id", "=", id)
      .execute();
    if (locked) await endSessionsOf(db, id);
  }

  /** Removes an account, with its sessions. */
  async function remove(db: Database, { id }: Owner): Promise<void> {
    await db.deleteFrom(table).where("id", "=", id).execute();
  }
}
