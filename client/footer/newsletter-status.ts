const address = "/service/newsletter/api/private/customers/newsletter-status";
const signedUp: unknown[] = ["WAITING_FOR_DOI", "SUBSCRIBED"];

/** Of this page's visitor: asked for at most once. */
let status: Promise<unknown> | undefined;

/**
 * Takes the newsletter out of a footer whose visitor has signed up for it. Visitors who aren't logged in, and footers
 * that don't show it, cost no request; a failed one leaves it.
 */
export async function hideNewsletterFromSubscribers(
  footer: HTMLElement,
  cookies: Record<string, string>,
): Promise<void> {
  const newsletter = footer.querySelector('[data-section="newsletter"]');
  if (!("LoginToken" in cookies) || !newsletter?.getClientRects().length) return;
  status ??= fetchStatus();
  if (signedUp.includes(await status)) newsletter.remove();
}

async function fetchStatus(): Promise<unknown> {
  try {
    const response = await fetch(address, { cache: "no-store" });
    const answer: { status?: unknown } = await response.json();
    return response.ok && answer.status;
  } catch {
    return undefined;
  }
}
