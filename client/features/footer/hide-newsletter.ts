import type { Milliseconds } from "../../rules/time.ts";
import { callService } from "../../services/call-service.ts";

const signedUp: unknown[] = ["WAITING_FOR_DOI", "SUBSCRIBED"];

/**
 * Removes the newsletter from the footer of a customer who has signed up for it, once the customer isn't using it.
 * Sends no request for a footer without a newsletter. If the service gives no useful answer, the newsletter stays.
 */
export async function hideNewsletter(footer: HTMLElement): Promise<void> {
  const newsletter = footer.querySelector('[data-section="newsletter"]');
  if (!newsletter?.getClientRects().length) return;
  if (signedUp.includes(await fetchNewsletterStatus())) removeWhenUnused(newsletter);
}

const usePollInterval: Milliseconds = 200;

/** Removes an element once it neither has the focus nor is pressed, because the focus would be lost with it. */
function removeWhenUnused(element: Element): void {
  if (element.matches(":focus-within, :active")) setTimeout(() => removeWhenUnused(element), usePollInterval);
  else element.remove();
}

/** The service's answer, requested at most once per page. */
let newsletterStatus: Promise<unknown> | undefined;

/**
 * Fetches the newsletter status of the signed-in customer.
 * @returns a status such as `SUBSCRIBED`; undefined if it can't be found out
 */
function fetchNewsletterStatus(): Promise<unknown> {
  newsletterStatus ??= requestStatus();
  return newsletterStatus;
}

async function requestStatus(): Promise<unknown> {
  const address = "/service/newsletter/api/private/customers/newsletter-status";
  const { response, body } = await callService(address, { cache: "no-store" });
  return response.ok ? body.status : undefined;
}
