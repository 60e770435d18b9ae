import { type Milliseconds, second } from "../../../client/rules/time.ts";
import type { Caller } from "../../services/newsletter-service.ts";
import type { MetLimit } from "../mail/met-limit.ts";
import type { NewsletterParts } from "./newsletter-parts.ts";

type LimitParts = Pick<NewsletterParts, "networkLimits" | "metrics" | "clock">;

/**
 * Counts a call that may lead to a mail.
 * @returns undefined when the caller's network may make it, else how long it has to wait
 */
export async function findWait(parts: LimitParts, { address }: Caller) {
  const wait = await parts.networkLimits(address, parts.clock());
  return wait > 0 ? refuse(parts, { limit: "network", outcome: "refused" }, wait) : undefined;
}

/** Refuses a call that has met a limit, until some time has passed. */
export function refuse(parts: Pick<LimitParts, "metrics">, met: MetLimit, wait: Milliseconds) {
  noteMet(parts, met);
  return { status: "rateLimited" as const, retryAfter: Math.ceil(wait / second) };
}

/** Counts a limit that was met. */
export function noteMet({ metrics }: Pick<LimitParts, "metrics">, met: MetLimit | undefined): void {
  if (met) metrics.mailLimits.inc({ ...met });
}
