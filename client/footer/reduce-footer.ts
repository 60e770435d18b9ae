import { wantsReduced } from "../rules/wants-reduced.ts";

const offers = ["newsletter", "teasers", "seo", "social", "apps"];

/** Reduces a footer as the service does: an edge may ask for the fragment without the visitor's cookies. */
export function reduceFooter(footer: HTMLElement, cookies: Record<string, string>): void {
  if (!wantsReduced(cookies)) return;
  footer.dataset.reduced = "true";
  for (const name of offers) footer.querySelector(`[data-section=${name}]`)?.remove();
}
