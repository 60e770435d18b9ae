import { createHmac } from "node:crypto";
import type { Kysely } from "kysely";
import { day, type Milliseconds, type Moment } from "../../../client/rules/time.ts";
import type { StoreTransaction } from "../store/in-transaction.ts";
import { loadServiceKey } from "../store/load-service-key.ts";
import type { Database } from "../store/open-store.ts";
import type { Tables } from "../store/tables.ts";
import { lockMailboxes } from "./lock-mailboxes.ts";
import { mailboxOf } from "./mailbox.ts";

/**
 * How long no mail is tried to an address that its server doesn't know. Such an answer may be a mistake, as on
 * 2020-12-15 at Gmail, so it doesn't hold for good.
 */
const bounceHolds: Milliseconds = 7 * day;

/**
 * The list of those to whom no mail goes that anybody can ask for. It holds keyed hashes alone, so that it may
 * outlive all else that was known of an address.
 */
export interface Suppression {
  /** Puts the mailbox of an address on the list for good, with all tags, and ends its mails that wait. */
  suppress(transaction: StoreTransaction, address: string, at: Moment): Promise<void>;
  /** Takes an address and its mailbox off the list, for whatever reason they are on it. Returns whether they were. */
  unsuppress(db: Kysely<Tables>, address: string): Promise<boolean>;
  /**
   * Puts an address that its server doesn't know on the list for some days. Its mailbox isn't, as a server that knows
   * no tags says the same of a tag that a stranger has made up.
   */
  noteBounce(db: Kysely<Tables>, address: string, at: Moment): Promise<void>;
  /** Finds those of some addresses that are on the list, or whose mailboxes are. */
  find(db: Kysely<Tables>, addresses: readonly string[], at: Moment): Promise<Set<string>>;
}

/**
 * Opens the list.
 * @throws what the store throws
 */
export async function openSuppression(store: Database): Promise<Suppression> {
  const key = await loadServiceKey(store, "suppressed-mailbox");
  const hash = (text: string) => createHmac("sha256", key).update(text).digest("base64url");
  const hashesOf = (address: string) => [hash(mailboxOf(address)), hash(address.toLowerCase())];

  return {
    async suppress(transaction, address, at) {
      const mailbox = mailboxOf(address);
      await lockMailboxes(transaction, new Set([mailbox]), at);
      const entry = { reason: "wish", since: at, endsAt: null } as const;
      await transaction
        .insertInto("suppressedMailbox")
        .values({ hash: hash(mailbox), ...entry })
        .onConflict((conflict) => conflict.column("hash").doUpdateSet(entry))
        .execute();
      await transaction
        .updateTable("mailOutbox")
        .set({ state: "failed", data: "{}", leasedUntil: null })
        .where("mailbox", "=", mailbox)
        .where("state", "=", "queued")
        .execute();
    },

    async unsuppress(db, address) {
      const removed = await db
        .deleteFrom("suppressedMailbox")
        .where("hash", "in", hashesOf(address))
        .returning("hash")
        .execute();
      return removed.length > 0;
    },

    async noteBounce(db, address, at) {
      await db
        .insertInto("suppressedMailbox")
        .values({ hash: hash(address.toLowerCase()), reason: "bounce", since: at, endsAt: at + bounceHolds })
        .onConflict((conflict) =>
          conflict
            .column("hash")
            .doUpdateSet({ since: at, endsAt: at + bounceHolds })
            .where("suppressedMailbox.reason", "=", "bounce"),
        )
        .execute();
    },

    async find(db, addresses, at) {
      const hashes = new Map(addresses.map((address) => [address, hashesOf(address)]));
      const rows = await db
        .selectFrom("suppressedMailbox")
        .select("hash")
        .where("hash", "in", [...hashes.values()].flat())
        .where((eb) => eb.or([eb("endsAt", "is", null), eb("endsAt", ">", at)]))
        .execute();
      const held = new Set(rows.map(({ hash: found }) => found));
      return new Set(addresses.filter((address) => hashes.get(address)?.some((own) => held.has(own))));
    },
  };
}
