import { hmac, type SecretKeys } from "../../../platform/secret-keys.ts";
import type { Database } from "../../../store/open-store.ts";
import { hashToken, tokenBytes } from "./tokens.ts";

/** In characters of base64url, which contain as many bits as the random tokens. */
const senderTokenLength = (tokenBytes * 4) / 3;
/** Stands for the id of the email in the proof of consent. */
const sender = "newsletter";

/**
 * Creates the function that computes a subscription's token for the sender of the newsletter, who reports openings and
 * unsubscribes people with it. The token is derived from a key, so that only its hash is stored.
 */
export function createSenderTokens(keys: SecretKeys): (subscriptionId: string) => string {
  const key = keys.signing("newsletter-sender");
  return (subscriptionId) => hmac(key, subscriptionId).slice(0, senderTokenLength);
}

/** Makes the sender's tokens valid. Those of an earlier secret stay valid, because their hashes are stored. */
export async function addSenderTokens(
  db: Database,
  tokens: readonly { token: string; subscriptionId: string }[],
): Promise<void> {
  if (tokens.length === 0) return;
  const row = { purpose: "unsubscribe", mailId: sender, expiresAt: null, usedAt: null, resentAt: null } as const;
  await db
    .insertInto("newsletterToken")
    .values(tokens.map(({ token, subscriptionId }) => ({ hash: hashToken(token), subscriptionId, ...row })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
