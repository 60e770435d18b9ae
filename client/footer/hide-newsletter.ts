import { fetchNewsletterStatus } from "../services/fetch-newsletter-status.ts";

const signedUp: unknown[] = ["WAITING_FOR_DOI", "SUBSCRIBED"];

/**
 * Takes the newsletter out of a footer whose visitor has signed up for it. Nothing is asked for visitors who aren't
 * logged in, nor for footers that don't show it. Without a useful answer it stays.
 */
export async function hideNewsletterFromSubscribers(
  footer: HTMLElement,
  cookies: Record<string, string>,
): Promise<void> {
  const newsletter = footer.querySelector('[data-section="newsletter"]');
  if (!("LoginToken" in cookies) || !newsletter?.getClientRects().length) return;
  if (signedUp.includes(await fetchNewsletterStatus())) newsletter.remove();
}
