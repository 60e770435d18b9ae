import { readCookies } from "../../host-page/read-cookies.ts";
import { wantsReduced } from "../../rules/wants-reduced.ts";
import { startPlatform } from "./platform.ts";

/** Adapts a footer to the window, the cookies and the visitor, which only the browser knows. */
export function startFooter(footer: HTMLElement): void {
  const cookies = readCookies(document.cookie);
  startPlatform(footer, cookies);
  reduceFooter(footer, cookies);
  if (!("LoginToken" in cookies)) return;
  // The browser has logged what it couldn't load; the newsletter stays.
  import("./hide-newsletter.ts").then(({ hideNewsletter }) => hideNewsletter(footer)).catch(() => {});
}

const offers = ["newsletter", "teasers", "seo", "social", "apps"];

/** Reduces a footer as the service does: an edge may request the fragment without the visitor's cookies. */
function reduceFooter(footer: HTMLElement, cookies: Record<string, string>): void {
  if (!wantsReduced(cookies)) return;
  footer.dataset.reduced = "true";
  for (const name of offers) footer.querySelector(`[data-section=${name}]`)?.remove();
}
