/** An event for the host page's analytics. */
type TrackingEvent =
  | { event: "login" | "sign_up"; subject: string; origin: string; type: "ga4"; emitter: string }
  | { event: "experiment_impression"; test: string; group: string; emitter: "footer" };

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/**
 * Reports an event to the host page's analytics, through `storefront:tracking` on window and through `dataLayer`.
 * Reports nothing in a staff preview.
 */
export function track(event: TrackingEvent): void {
  if (isPreviewed(document)) return;
  window.dataLayer ??= [];
  window.dataLayer.push(event);
  window.dispatchEvent(new CustomEvent("storefront:tracking", { detail: event }));
}

/** Whether a page shows a preview: another time, or another group of an A/B test. */
export function isPreviewed(page: Document): boolean {
  return page.querySelector("[data-preview-context]") !== null;
}
