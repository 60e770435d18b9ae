import type { SubscriberEvent } from "../../../schemas/types.ts";
import { toIsoOrNull } from "../../format-time.ts";
import type { Subscription } from "./find-subscription.ts";

/** A subscriber, as whoever sends the newsletter knows them: all but the token. */
export type Subscriber = Omit<SubscriberEvent["data"], "token" | "confirmedAt"> & { confirmedAt: string | null };

export function toSubscriber(subscription: Subscription): Subscriber {
  const { id, site, email, salutation, firstName, lastName, origin, originAddition } = subscription;
  const { consents, categories, confirmedAt } = subscription;
  return {
    ...{ id, site, email, salutation, firstName, lastName },
    consents: JSON.parse(consents),
    categories: categories === null ? [] : JSON.parse(categories),
    ...{ origin, originAddition },
    confirmedAt: toIsoOrNull(confirmedAt),
  };
}
