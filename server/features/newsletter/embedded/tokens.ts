import { createHash, randomBytes } from "node:crypto";
import type { Moment } from "../../../../client/rules/time.ts";
import type { StoreTransaction } from "../../../store/open-store.ts";

/** 192 bits, which can't be guessed. */
export const tokenBytes = 24;

/** Creates the token of a link. Only its hash is stored, so that the database's readers can't use it. */
export function createToken(): string {
  return randomBytes(tokenBytes).toString("base64url");
}

/** Hashes a token. A fast hash is safe for random input. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** Marks the tokens of all earlier emails as used, so that their links no longer confirm anything. */
export async function closeTokens(transaction: StoreTransaction, { id }: { id: string }, at: Moment): Promise<void> {
  await transaction
    .updateTable("newsletterToken")
    .set({ usedAt: at })
    .where("subscriptionId", "=", id)
    .where("purpose", "=", "subscriber")
    .where("usedAt", "is", null)
    .execute();
}
