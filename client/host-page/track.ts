import { isPreviewed } from "./is-previewed.ts";

/** What the analytics of the host page are told. */
export interface TrackingEvent {
  event: string;
  subject: string;
  origin: string;
  type: "ga4";
  emitter: string;
}

declare global {
  interface Window {
    dataLayer?: unknown[];
  }
}

/**
 * Tells the host page's analytics: through `storefront:tracking` on window and through `dataLayer`. What staff do while
 * they preview the shop isn't counted.
 */
export function track(event: TrackingEvent): void {
  if (isPreviewed(document)) return;
  window.dataLayer ??= [];
  window.dataLayer.push(event);
  window.dispatchEvent(new CustomEvent("storefront:tracking", { detail: event }));
}
