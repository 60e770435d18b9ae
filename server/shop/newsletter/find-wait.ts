import { second } from "../../../client/rules/time.ts";
import { networkOf } from "../../http/network.ts";
import type { Caller } from "../../services/newsletter-service.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";

/**
 * Counts a call that may lead to a mail.
 * @returns undefined when the caller's network may make it, else how long it has to wait; callers without an address
 * share one budget
 */
export async function findWait({ limiter, clock }: Pick<NewsletterParts, "limiter" | "clock">, { address }: Caller) {
  const wait = await limiter.consume(networkOf(address) ?? "unknown", clock());
  return wait > 0 ? { status: "rateLimited" as const, retryAfter: Math.ceil(wait / second) } : undefined;
}
