import { readCookies } from "../host-page/read-cookies.ts";
import { chosenPlatforms, type Platform } from "../rules/platform.ts";

/**
 * Tells the platform: the first that is named, else the one that suits the window.
 * @param names - whatever is said of the platform, the most reliable first
 * @param width - the width of the window, in pixels
 */
export function platformOf(names: (string | undefined)[], width: number): Platform {
  const named = names.find((name) => name === "MATCH" || name === "TABLET" || name === "CLASSIC");
  return named ?? (width < 768 ? "MATCH" : width < 1280 ? "TABLET" : "CLASSIC");
}

/** Gives a footer the layout that the visitor has chosen, and writes the platform into its attribute. */
export function startPlatform(footer: HTMLElement, cookies: Record<string, string>): void {
  const chosen = chosenPlatforms.get(cookies.platform);
  if (chosen) footer.dataset.layout = chosen;
  namePlatform(footer);
}

/**
 * Writes the platform into every footer anew when the window or the attribute of `<html>` changes. A window that gets
 * wider or narrower knows better than what the service was asked for, yet not than what the visitor has chosen.
 */
export function followPlatform(root: Document): void {
  const footers = () => root.querySelectorAll<HTMLElement>("footer[data-fragment=footer]");
  let width = window.innerWidth;

  function measure() {
    // Keyboards and toolbars of phones make a window lower or higher, too.
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

/** Nothing moves: the stylesheet makes the layout without this attribute. */
function namePlatform(footer: HTMLElement): void {
  const { platform } = document.documentElement.dataset;
  footer.dataset.platform = platformOf([platform, footer.dataset.layout], window.innerWidth);
}
