import type { SecretKeys } from "../../../platform/secret-keys.ts";
import { loadLastingKeys } from "../../../store/lasting-keys.ts";
import type { Database } from "../../../store/open-store.ts";

/** The purposes whose hashes outlast a secret: mailboxes that get no email, and received reports. */
const lastingPurposes = ["suppressed-mailbox", "newsletter-report"];

/**
 * Loads the newsletter's keys, including those of removed secrets for lasting purposes.
 * @throws Error of the database
 */
export function loadNewsletterKeys(db: Database, keys: SecretKeys): Promise<SecretKeys> {
  return loadLastingKeys(db, keys, lastingPurposes);
}
