import { UnavailableError } from "../../errors.ts";
import type { ReadResult, SubscriptionStatus } from "../../services/newsletter-service.ts";
import type { Database } from "../store/open-store.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import type { State } from "./states.ts";
import { hashToken } from "./tokens.ts";

const statuses: Record<State, SubscriptionStatus> = {
  pending: "WAITING_FOR_DOI",
  confirmed: "SUBSCRIBED",
  withdrawn: "UNSUBSCRIBED",
  refused: "UNSUBSCRIBED",
  expired: "NONE",
};

/** Tells what a subscriber's token stands for. */
export async function read({ db, clock }: NewsletterParts, token: string): Promise<ReadResult> {
  const row = await db
    .selectFrom("newsletterToken")
    .innerJoin("newsletterSubscription", "newsletterSubscription.id", "subscriptionId")
    .select(["state", "site", "consents", "expiresAt"])
    .where("hash", "=", hashToken(token))
    .where("purpose", "=", "subscriber")
    .executeTakeFirst()
    .catch(failReading);
  if (!row) return { status: "invalidToken" };
  const { state, site, consents, expiresAt } = row;
  const tooLate = state === "pending" && expiresAt !== null && expiresAt <= clock();
  const status = statuses[tooLate ? "expired" : state];
  return { status: "found", subscription: { status, site, consents: JSON.parse(consents) } };
}

/** Tells where the subscription of an address stands. The answer is for the address's owner alone. */
export async function findStatus(db: Database, email: string, site: string): Promise<SubscriptionStatus> {
  const row = await db
    .selectFrom("newsletterSubscription")
    .select("state")
    .where("email", "=", email)
    .where("site", "=", site)
    .executeTakeFirst()
    .catch(failReading);
  return row ? statuses[row.state] : "NONE";
}

function failReading(cause: unknown): never {
  throw new UnavailableError("the store can't be read", { cause });
}
