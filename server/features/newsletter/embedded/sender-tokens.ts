import type { SecretKeys } from "../../../platform/secret-keys.ts";
import type { Database } from "../../../store/open-store.ts";
import { deriveToken, hashToken } from "./tokens.ts";

/** Stands for the id of the email in the proof of consent. */
const sender = "newsletter";

/**
 * Creates the function that computes a subscription's token for the sender of the newsletter, who reports openings and
 * unsubscribes people with it. The token is derived from a key, so that only its hash is stored.
 */
export function createSenderTokens(keys: SecretKeys): (subscriptionId: string) => string {
  const key = keys.signing("newsletter-sender");
  return (subscriptionId) => deriveToken(key, subscriptionId);
}

/**
 * Creates the function that computes the token of the link to the subscriber's page, which newsletters contain. Each
 * confirmation has another, because it lasts as long as the subscription.
 */
export function createPreferencesTokens(keys: SecretKeys) {
  const key = keys.signing("newsletter-preferences");
  return ({ id, confirmedAt }: { id: string; confirmedAt: string | null }): string =>
    deriveToken(key, `${id} ${confirmedAt}`);
}

interface SenderToken {
  token: string;
  subscriptionId: string;
  /** Whether it opens the subscriber's page. */
  canChange?: boolean;
}

/** Makes tokens in newsletters valid. Those of an earlier secret stay valid, because their hashes are stored. */
export async function addSenderTokens(db: Database, tokens: readonly SenderToken[]): Promise<void> {
  if (tokens.length === 0) return;
  const row = { purpose: "unsubscribe", mailId: sender, expiresAt: null, usedAt: null, resentAt: null } as const;
  await db
    .insertInto("newsletterToken")
    .values(
      tokens.map(({ token, subscriptionId, canChange = false }) => ({
        ...row,
        hash: hashToken(token),
        subscriptionId,
        canChange: Number(canChange),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Lists the tokens of a subscription's links in newsletters.
 * @param links - with null or undefined where there is no such link
 */
export function toSenderTokens(
  subscriptionId: string,
  { token, preferencesToken }: { token?: string | null; preferencesToken?: string | null },
): SenderToken[] {
  return [
    ...(token ? [{ token, subscriptionId }] : []),
    ...(preferencesToken ? [{ token: preferencesToken, subscriptionId, canChange: true }] : []),
  ];
}
