import type { Site } from "../../sites/countries.ts";

/** Writes the link to a page of the site that acts on a token once its button is pressed. */
export function tokenLink({ origin }: Site, page: "confirm" | "refuse" | "unsubscribe", token: string): string {
  return `${origin}/newsletter/${page}?token=${encodeURIComponent(token)}`;
}

/**
 * Writes the address that mail programs POST to for their own button to unsubscribe:
 * https://www.rfc-editor.org/rfc/rfc8058
 */
export function oneClickLink({ origin }: Site, unsubscribeToken: string): string {
  const subscriber = encodeURIComponent(unsubscribeToken);
  return `${origin}/service/newsletter/api/internal/newsletter-subscribers/${subscriber}/unsubscribe`;
}
