import { day, type Milliseconds, type Moment } from "../../../../client/rules/time.ts";
import { hmac, type SecretKeys } from "../../../platform/secret-keys.ts";
import type { Database, StoreTransaction } from "../../../store/open-store.ts";
import { lockMailboxes, mailboxOf, requestedKinds } from "./mailboxes.ts";

declare module "../../../store/tables.ts" {
  interface Tables {
    suppressedMailbox: SuppressedMailboxTable;
  }
}

/** A mailbox, or an address, that gets no requested email. */
interface SuppressedMailboxTable {
  /** Its HMAC, in base64url. */
  hash: string;
  /**
   * `wish`: the owner asked for it or complained. `refusal`: the owner refused a sign-up. `bounce`: the server doesn't
   * know the address.
   */
  reason: "wish" | "refusal" | "bounce";
  since: Moment;
  /** When the entry expires; null if it never does. */
  endsAt: Moment | null;
}

/** A bounce expires, because servers have rejected existing mailboxes by mistake, as Gmail did on 2020-12-15. */
const bounceLifetime: Milliseconds = 7 * day;
/** A refusal expires, because the owner may want the newsletter later. */
const refusalLifetime: Milliseconds = 30 * day;

/**
 * Creates the list of addresses that get no requested email. It contains keyed hashes, so that it may outlive an
 * erasure.
 * @param keys - including those of removed secrets, whose entries are still found
 */
export function createSuppression(keys: SecretKeys) {
  const [key, verifyingKeys] = [keys.signing("suppressed-mailbox"), keys.verifying("suppressed-mailbox")];
  const hash = (text: string) => hmac(key, text);
  const hashesOf = (address: string) =>
    [mailboxOf(address), address.toLowerCase()].flatMap((text) => verifyingKeys.map((any) => hmac(any, text)));

  return {
    /**
     * Suppresses the mailbox of an address, with all its tags, and cancels its queued emails. By the owner's wish, this
     * applies to all emails and for good. After a refused sign-up, it applies to emails that anybody can request, and
     * for some weeks.
     */
    async suppress(
      transaction: StoreTransaction,
      address: string,
      at: Moment,
      reason: "wish" | "refusal" = "wish",
    ): Promise<void> {
      const mailbox = mailboxOf(address);
      await lockMailboxes(transaction, new Set([mailbox]), at);
      const isRefusal = reason === "refusal";
      const entry = { reason, since: at, endsAt: isRefusal ? at + refusalLifetime : null };
      await transaction
        .insertInto("suppressedMailbox")
        .values({ hash: hash(mailbox), ...entry })
        .onConflict((conflict) =>
          conflict.column("hash").doUpdateSet(entry).where("suppressedMailbox.reason", "<>", "wish"),
        )
        .execute();
      await transaction
        .updateTable("mailOutbox")
        .set({ state: "failed", data: "{}", leasedUntil: null })
        .where("mailbox", "=", mailbox)
        .where("state", "=", "queued")
        .$if(isRefusal, (query) => query.where("kind", "in", requestedKinds))
        .execute();
    },

    /**
     * Removes an address and its mailbox from the list.
     * @returns whether they were on it
     */
    async unsuppress(db: Database, address: string): Promise<boolean> {
      const hashes = hashesOf(address);
      const removed = await db.deleteFrom("suppressedMailbox").where("hash", "in", hashes).returning("hash").execute();
      return removed.length > 0;
    },

    /**
     * Suppresses an unknown address for some days, but not its mailbox: a server without support for tags rejects a
     * stranger's invented tag in the same way.
     */
    async recordBounce(db: Database, address: string, at: Moment): Promise<void> {
      const entry = { since: at, endsAt: at + bounceLifetime };
      await db
        .insertInto("suppressedMailbox")
        .values({ hash: hash(address.toLowerCase()), reason: "bounce", ...entry })
        .onConflict((conflict) =>
          conflict.column("hash").doUpdateSet(entry).where("suppressedMailbox.reason", "=", "bounce"),
        )
        .execute();
    },

    /**
     * Returns those of the addresses that are suppressed themselves or by their mailbox.
     * @param reason - the only reason that counts; undefined for all
     */
    async find(db: Database, addresses: readonly string[], at: Moment, reason?: "wish"): Promise<Set<string>> {
      const rows = await db
        .selectFrom("suppressedMailbox")
        .select("hash")
        .where("hash", "in", addresses.flatMap(hashesOf))
        .where((eb) => eb.or([eb("endsAt", "is", null), eb("endsAt", ">", at)]))
        .$if(reason !== undefined, (query) => query.where("reason", "=", reason ?? "wish"))
        .execute();
      const found = new Set(rows.map((row) => row.hash));
      return new Set(addresses.filter((address) => hashesOf(address).some((own) => found.has(own))));
    },
  };
}
