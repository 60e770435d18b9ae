import type { SalutationValue } from "../../../client/rules/salutations.ts";
import type { Consent } from "../../../client/rules/subscription.ts";
import { normalizeName, validateSubscription } from "../../../client/rules/subscription.ts";
import type { NewsletterChange } from "../../../schemas/types.ts";
import type { Caller, ChangeResult } from "../../services/newsletter-service.ts";
import { inTransaction } from "../store/in-transaction.ts";
import { isExpired } from "./confirm.ts";
import { addConsentRecords } from "./consent-records.ts";
import { findByToken, type Subscription } from "./find-subscription.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";

/** Changes what a subscriber has told, by the rules of the sign-up. Fields that aren't given stay as they are. */
export function change(
  parts: NewsletterParts,
  token: string,
  fields: NewsletterChange,
  caller: Caller,
): Promise<ChangeResult> {
  const at = parts.clock();
  return inTransaction(parts.db, async (transaction) => {
    const held = await findByToken(transaction, token);
    if (held?.token.purpose !== "subscriber") return { status: "invalidToken" };
    const { state } = held.subscription;
    const site = parts.countries.get(held.subscription.site);
    const isOpen = state === "confirmed" || (state === "pending" && !isExpired(held, at));
    if (!site || !isOpen) return { status: "invalidToken" };

    const faults = validateSubscription(valuesOf(held.subscription, fields), site.newsletter);
    if (faults.length > 0) return { status: "invalid", faults };
    const changes = columnsOf(fields);
    const subscription = { ...held.subscription, ...changes };
    await transaction
      .updateTable("newsletterSubscription")
      .set({ ...changes, changedAt: at })
      .where("id", "=", subscription.id)
      .execute();
    if (state === "confirmed") await parts.events.tellSubscriber(transaction, "changed", subscription, at);
    await addConsentRecords(parts, transaction, [
      {
        event: "changed",
        subscription,
        at,
        caller,
        mailId: held.token.mailId,
      },
    ]);
    return { status: "changed", fields };
  });
}

function valuesOf(subscription: Subscription, fields: NewsletterChange) {
  const salutation = fields.salutation ?? (subscription.salutation as SalutationValue | null);
  return {
    email: subscription.email,
    salutation: salutation ?? undefined,
    firstName: fields.firstName ?? subscription.firstName ?? "",
    lastName: fields.lastName ?? subscription.lastName ?? "",
    consents: fields.consents ?? (JSON.parse(subscription.consents) as Consent[]),
  };
}

function columnsOf({ salutation, firstName, lastName, consents }: NewsletterChange) {
  return {
    ...(salutation && { salutation }),
    ...(firstName !== undefined && { firstName: normalizeName(firstName) || null }),
    ...(lastName !== undefined && { lastName: normalizeName(lastName) || null }),
    ...(consents && { consents: JSON.stringify(consents) }),
  };
}
