import type { Platform } from "./footer-props.ts";

/**
 * The platform of a page: what its host says on `<html>`, else what the window's width makes it.
 * @param width - of the window, in pixels
 */
export function platformOf(named: string | undefined, width: number): Platform {
  if (named === "MATCH" || named === "TABLET" || named === "CLASSIC") return named;
  return width < 768 ? "MATCH" : width < 1280 ? "TABLET" : "CLASSIC";
}

/** Names the page's platform on a footer. The layout itself is the stylesheet's: nothing moves. */
export function namePlatform(footer: HTMLElement): void {
  footer.dataset.platform = platformOf(document.documentElement.dataset.platform, window.innerWidth);
}

/** Names it anew when the window or the page's attribute changes. */
export function followPlatform(root: Document): void {
  const update = () => root.querySelectorAll<HTMLElement>("footer[data-fragment=footer]").forEach(namePlatform);
  window.addEventListener("resize", update);
  new MutationObserver(update).observe(root.documentElement, { attributeFilter: ["data-platform"] });
}
