import type { SecretKeys } from "../../../platform/secret-keys.ts";
import { loadLastingKeys } from "../../../store/lasting-keys.ts";
import type { Database } from "../../../store/open-store.ts";

/** What must be recognized for longer than a secret lasts: who gets no email, and which reports have come. */
const lastingPurposes = ["suppressed-mailbox", "newsletter-report"];

/**
 * Loads the newsletter's keys, which include those of removed secrets for what must still be recognized.
 * @throws Error of the database
 */
export function loadNewsletterKeys(db: Database, keys: SecretKeys): Promise<SecretKeys> {
  return loadLastingKeys(db, keys, lastingPurposes);
}
