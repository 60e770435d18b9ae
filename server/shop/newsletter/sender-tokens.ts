import { createHmac } from "node:crypto";
import type { Kysely } from "kysely";
import { loadServiceKey } from "../store/load-service-key.ts";
import type { Tables } from "../store/tables.ts";
import { hashToken } from "./tokens.ts";

/**
 * The tokens of whoever sends the newsletter, one per subscription: it reports openings and ends the subscription. They
 * are computed whenever one is given away, so that the store has their hashes alone.
 */
export interface SenderTokens {
  tokenOf(subscriptionId: string): string;
  /** Makes the tokens of some subscriptions good. */
  admit(db: Kysely<Tables>, subscriptionIds: readonly string[]): Promise<void>;
}

/** What the proof of consent names in place of the mail, where such a token was used. */
const sender = "newsletter";
/** As many bits as the tokens of mails have. */
const tokenBytes = 24;

/**
 * Opens the tokens of whoever sends the newsletter.
 * @throws what the store throws
 */
export async function openSenderTokens(db: Kysely<Tables>): Promise<SenderTokens> {
  const key = await loadServiceKey(db, "newsletter-sender");
  const tokenOf = (subscriptionId: string) =>
    createHmac("sha256", key).update(subscriptionId).digest().subarray(0, tokenBytes).toString("base64url");
  return {
    tokenOf,
    async admit(db, subscriptionIds) {
      if (subscriptionIds.length === 0) return;
      const own = { purpose: "unsubscribe", mailId: sender, expiresAt: null, usedAt: null, resentAt: null } as const;
      await db
        .insertInto("newsletterToken")
        .values(subscriptionIds.map((id) => ({ hash: hashToken(tokenOf(id)), subscriptionId: id, ...own })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },
  };
}
