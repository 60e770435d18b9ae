import { callService } from "./call-service.ts";

/** The answer of the service, which is asked at most once per page. */
let newsletterStatus: Promise<unknown> | undefined;

/**
 * Asks how far the signed-in customer's subscription to the newsletter is.
 * @returns such as `SUBSCRIBED`; undefined when it can't be found out
 */
export function fetchNewsletterStatus(): Promise<unknown> {
  newsletterStatus ??= requestStatus();
  return newsletterStatus;
}

async function requestStatus(): Promise<unknown> {
  const address = "/service/newsletter/api/private/customers/newsletter-status";
  const { response, body } = await callService(address, { cache: "no-store" });
  return response.ok ? body.status : undefined;
}
