import type { Platform } from "./footer-props.ts";

/**
 * Tells the platform of a page: the one that the host page names on `<html>`, else the one that suits the window.
 * @param width - the width of the window, in pixels
 */
export function platformOf(named: string | undefined, width: number): Platform {
  if (named === "MATCH" || named === "TABLET" || named === "CLASSIC") return named;
  return width < 768 ? "MATCH" : width < 1280 ? "TABLET" : "CLASSIC";
}

/** Writes the page's platform into a footer's attribute. Nothing moves: the stylesheet makes the layout without it. */
export function namePlatform(footer: HTMLElement): void {
  footer.dataset.platform = platformOf(document.documentElement.dataset.platform, window.innerWidth);
}

/** Writes the platform into every footer anew when the window or the attribute of `<html>` changes. */
export function followPlatform(root: Document): void {
  const update = () => root.querySelectorAll<HTMLElement>("footer[data-fragment=footer]").forEach(namePlatform);
  window.addEventListener("resize", update);
  new MutationObserver(update).observe(root.documentElement, { attributeFilter: ["data-platform"] });
}
