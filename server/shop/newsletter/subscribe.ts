import { setTimeout as pause } from "node:timers/promises";
import { validateSubscription } from "../../../client/rules/subscription.ts";
import type { SubscribeResult } from "../../services/newsletter-service.ts";
import { findWait, noteMet, refuse } from "./find-wait.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";
import type { SignUp, TakeSignUp } from "./take-sign-up.ts";

/**
 * Takes a sign-up: once it is accepted, it, its proof and its mail are durable. For an address that is known, was
 * lately mailed to, is subscribed or wants no mail, the answer is the same, and comes after the same statements
 * (test/server/shop/newsletter/mail-limits.test.ts).
 * @param take - takes the sign-up together with others
 */
export async function subscribe(
  parts: NewsletterParts,
  take: TakeSignUp,
  { request, caller }: SignUp,
): Promise<SubscribeResult> {
  const faults = validateSubscription({ ...request, consents: request.consents ?? [] }, caller.site.newsletter);
  if (faults.length > 0) return { status: "invalid", faults };
  const wait = await findWait(parts, caller);
  if (wait) return wait;

  const taken = take({ request, caller });
  const [{ at, met }] = await Promise.all([taken, pause(parts.answerAfter)]);
  if (met?.outcome === "refused") return refuse(parts, met, at - parts.clock());
  noteMet(parts, met);
  return { status: "accepted" };
}
