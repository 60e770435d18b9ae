import { fetchNewsletterStatus } from "../services/fetch-newsletter-status.ts";

const signedUp: unknown[] = ["WAITING_FOR_DOI", "SUBSCRIBED"];

/**
 * Takes the newsletter out of the footer of a customer who has signed up for it. Nothing is asked for footers that don't
 * show it. Without a useful answer it stays.
 */
export async function hideNewsletter(footer: HTMLElement): Promise<void> {
  const newsletter = footer.querySelector('[data-section="newsletter"]');
  if (!newsletter?.getClientRects().length) return;
  if (signedUp.includes(await fetchNewsletterStatus())) newsletter.remove();
}
