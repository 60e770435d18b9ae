import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Milliseconds, type Moment, second } from "../../../client/rules/time.ts";
import type { Database } from "../store/open-store.ts";
import type { Tables } from "../store/tables.ts";
import type { AccountTable } from "./accounts.ts";
import type { SessionColumns } from "./sign-in-tables.ts";

type SessionTable = "loginSession" | "staffSession";

/** What sessions of one kind have beside the times of their end: whose they are, above all. */
type Own<Table extends SessionTable> = Omit<Tables[Table], keyof SessionColumns>;

/** A session that hasn't ended. */
export type SessionOf<Table extends SessionTable> = Own<Table> & SessionColumns;

/** How long a session lasts without a renewal (`idle`), and at most (`absolute`). */
interface Limits {
  idle: Milliseconds;
  absolute: Milliseconds;
}

interface SessionKind<Table extends SessionTable> {
  accounts: AccountTable;
  /** The column that says whose session it is. */
  owner: keyof Own<Table> & string;
  limitsOf(session: Own<Table>): Limits;
}

/** A session as operators see it: by the hash of its id, which is nobody's credential. */
interface ListedSession {
  hash: string;
  startedAt: Moment;
  expiresAt: Moment;
  endsAt: Moment;
}

/** The sessions of accounts of one kind. */
export interface Sessions<Table extends SessionTable> {
  start(db: Database, own: Own<Table>, at: Moment): Promise<SessionOf<Table>>;
  /** Returns undefined when the session has ended or its account is locked. */
  find(db: Database, id: string, at: Moment): Promise<SessionOf<Table> | undefined>;
  /** Puts off the end of a session, and returns it; undefined when it has ended meanwhile, which nothing undoes. */
  extend(db: Database, session: SessionOf<Table>, at: Moment): Promise<SessionOf<Table> | undefined>;
  end(db: Database, id: string): Promise<void>;
  /** Lists the sessions of an account that haven't ended, the latest last. */
  list(db: Database, accountId: string, at: Moment): Promise<ListedSession[]>;
  /** Ends a session of the list, and returns whether it was there. */
  endListed(db: Database, accountId: string, hash: string): Promise<boolean>;
  /** Ends each session of which a browser still has a credential; undefined stands for a credential that isn't good. */
  endEach(db: Database, ids: readonly (string | undefined)[]): Promise<void>;
  /** Signs an account out everywhere. */
  endAllOf(db: Database, accountId: string): Promise<void>;
  /** Signs everybody out everywhere. */
  endAll(db: Database): Promise<void>;
}

/** Hashes the id of a session for the store, whose readers are nobody's session. A fast hash is enough for a random id. */
export function hashSessionId(id: string): string {
  return createHash("sha256").update(id).digest("base64url");
}

/**
 * Creates the sessions of one kind of accounts.
 * @param table - where they are stored
 */
export function createSessions<Table extends SessionTable>(
  table: Table,
  { accounts, owner, limitsOf }: SessionKind<Table>,
): Sessions<Table> {
  const sessions: SessionTable = table;
  return {
    async start(db, own, at) {
      const { idle, absolute } = limitsOf(own);
      const session = { ...own, id: randomUUID(), expiresAt: at + idle, endsAt: at + absolute };
      await db
        .insertInto(sessions)
        .values({ ...session, id: hashSessionId(session.id) })
        .execute();
      return session;
    },

    async find(db, id, at) {
      const found = db
        .selectFrom(sessions)
        .selectAll()
        .where("id", "=", hashSessionId(id))
        .where("expiresAt", ">", at)
        .where(({ exists }) => exists(unlockedAccounts(db).where("id", "=", sql.ref<string>(`${sessions}.${owner}`))));
      const { rows } = await db.executeQuery<SessionOf<Table>>(found);
      const [session] = rows;
      return session && { ...session, id };
    },

    async extend(db, session, at) {
      const expiresAt = Math.min(at + limitsOf(session).idle, session.endsAt);
      // When many tabs renew at once, one of the others has written the new end.
      if (expiresAt - session.expiresAt < second) return session;
      const { numUpdatedRows } = await db
        .updateTable(sessions)
        .set({ expiresAt })
        .where("id", "=", hashSessionId(session.id))
        .executeTakeFirst();
      return numUpdatedRows > 0n ? { ...session, expiresAt } : undefined;
    },

    end,

    async list(db, accountId, at) {
      const found = db
        .selectFrom(sessions)
        .selectAll()
        .where(sql.ref(owner), "=", accountId)
        .where("expiresAt", ">", at)
        .orderBy("endsAt");
      const { rows } = await db.executeQuery<SessionOf<Table>>(found);
      return rows.map((session) => ({
        hash: session.id,
        startedAt: session.endsAt - limitsOf(session).absolute,
        expiresAt: session.expiresAt,
        endsAt: session.endsAt,
      }));
    },

    async endListed(db, accountId, hash) {
      const { numDeletedRows } = await db
        .deleteFrom(sessions)
        .where("id", "=", hash)
        .where(sql.ref(owner), "=", accountId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async endEach(db, ids) {
      for (const id of new Set(ids)) if (id !== undefined) await end(db, id);
    },

    async endAllOf(db, accountId) {
      await db.deleteFrom(sessions).where(sql.ref(owner), "=", accountId).execute();
    },

    async endAll(db) {
      await db.deleteFrom(sessions).execute();
    },
  };

  async function end(db: Database, id: string): Promise<void> {
    await db.deleteFrom(sessions).where("id", "=", hashSessionId(id)).execute();
  }

  function unlockedAccounts(db: Database) {
    return db.selectFrom(accounts).select("id").where("locked", "=", 0);
  }
}
