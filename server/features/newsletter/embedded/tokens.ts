import { createHash, randomBytes } from "node:crypto";
import type { Moment } from "../../../../client/rules/time.ts";
import { hmac } from "../../../platform/secret-keys.ts";
import type { StoreTransaction } from "../../../store/open-store.ts";

/** 192 bits, which can't be guessed. */
const tokenBytes = 24;

/** Creates the token of a link. Only its hash is stored, so that the database's readers can't use it. */
export function createToken(): string {
  return randomBytes(tokenBytes).toString("base64url");
}

/** The length of a token in characters of base64url. */
const tokenLength = (tokenBytes * 4) / 3;

/** Computes a token that can be computed again, from a key. It has as many bits as a random one. */
export function deriveToken(key: Buffer, text: string): string {
  return hmac(key, text).slice(0, tokenLength);
}

/** Hashes a token. A fast hash is safe for random input. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Marks the tokens of all earlier emails as used, so that their links no longer confirm anything. */
export async function closeTokens(transaction: StoreTransaction, { id }: { id: string }, at: Moment): Promise<void> {
  await closeAll(transaction, id, at).where("purpose", "=", "subscriber").execute();
}

/** Marks all tokens as used at the end of a subscription, so that they no longer confirm or change anything. */
export async function endTokens(transaction: StoreTransaction, { id }: { id: string }, at: Moment): Promise<void> {
  await closeAll(transaction, id, at)
    .where(({ eb, or }) => or([eb("purpose", "=", "subscriber"), eb("canChange", "=", 1)]))
    .execute();
}

function closeAll(transaction: StoreTransaction, subscriptionId: string, at: Moment) {
  return transaction
    .updateTable("newsletterToken")
    .set({ usedAt: at })
    .where("subscriptionId", "=", subscriptionId)
    .where("usedAt", "is", null);
}
