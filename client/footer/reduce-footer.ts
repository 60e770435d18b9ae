import { wantsReduced } from "../rules/wants-reduced.ts";

const offers = ["newsletter", "teasers", "seo", "social", "apps"];

/** Reduces a footer as the service does, for edges that strip the cookies before they ask for one. */
export function reduceFooter(footer: HTMLElement, cookies: Record<string, string>): void {
  if (!wantsReduced(cookies)) return;
  footer.dataset.reduced = "true";
  for (const name of offers) footer.querySelector(`[data-section="${name}"]`)?.remove();
}
