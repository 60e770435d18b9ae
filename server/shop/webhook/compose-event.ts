import { toIso } from "../../format-time.ts";
import type { SenderTokens } from "../newsletter/sender-tokens.ts";
import type { LeasedEvent } from "./event-outbox.ts";

/** Writes an event as schemas/newsletter-event.schema.json says. A subscriber's has the sender's token. */
export function composeEvent(
  { type, data: stored, createdAt }: Pick<LeasedEvent, "type" | "data" | "createdAt">,
  tokens: Pick<SenderTokens, "tokenOf">,
): string {
  const data = JSON.parse(stored);
  const token = type === "confirmed" || type === "changed" ? { token: tokens.tokenOf(data.id) } : {};
  return JSON.stringify({
    version: 1,
    type: `newsletter.${type}`,
    timestamp: toIso(createdAt),
    data: { ...data, ...token },
  });
}
