import { readCookies } from "../../host-page/read-cookies.ts";
import { chosenPlatforms, type Platform } from "../../rules/platform.ts";
import { wantsReduced } from "../../rules/wants-reduced.ts";

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

/**
 * Returns the first name that is a platform, else the platform for the window's width.
 * @param names - possible names, the most reliable first
 * @param width - in pixels
 */
function platformOf(names: (string | undefined)[], width: number): Platform {
  const named = names.find((name) => name === "MATCH" || name === "TABLET" || name === "CLASSIC");
  return named ?? (width < 768 ? "MATCH" : width < 1280 ? "TABLET" : "CLASSIC");
}

/** Applies the layout that the visitor has selected, and sets the footer's platform attribute. */
function startPlatform(footer: HTMLElement, cookies: Record<string, string>): void {
  const chosen = chosenPlatforms.get(cookies.platform);
  if (chosen) footer.dataset.layout = chosen;
  namePlatform(footer);
}

/**
 * Updates the platform of every footer when the window's width or the attribute of `<html>` changes. A changed width
 * overrides the platform that the service was asked for, but not the one that the visitor has selected.
 */
export function followPlatform(root: Document): void {
  const footers = () => root.querySelectorAll<HTMLElement>("footer[data-fragment=footer]");
  let width = window.innerWidth;

  function measure() {
    // On phones, keyboards and toolbars change the height alone.
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    const isChosen = chosenPlatforms.has(readCookies(root.cookie).platform);
    for (const footer of footers()) {
      if (!isChosen) delete footer.dataset.layout;
      namePlatform(footer);
    }
  }

  window.addEventListener("resize", measure);
  new MutationObserver(() => footers().forEach(namePlatform)).observe(root.documentElement, {
    attributeFilter: ["data-platform"],
  });
}

/** Nothing moves, because the stylesheet doesn't use this attribute. */
function namePlatform(footer: HTMLElement): void {
  const { platform } = document.documentElement.dataset;
  footer.dataset.platform = platformOf([platform, footer.dataset.layout], window.innerWidth);
}

/** Requests the visitor's groups of A/B tests when the page has loaded. */
export function assignAbGroups(page: Document): void {
  if (page.readyState === "complete") requestAbGroups();
  else window.addEventListener("load", requestAbGroups);
}

/**
 * Requests the visitor's groups of A/B tests, which the service stores in cookies. Every page does so, and `callService`
 * would be a tenth of every page's script.
 */
function requestAbGroups(): void {
  fetch("/service/abtestfrontend/api/v1/getassignment", { priority: "low" })
    // Reading the answer frees the connection.
    .then((answer) => answer.text())
    .catch(() => {});
}
