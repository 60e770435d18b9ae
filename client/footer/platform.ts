import type { Platform } from "./footer-props.ts";

/**
 * The platform of a page: what its host says on `<html>`, else what the window's width makes it.
 * @param width - of the window, in pixels
 */
export function platformOf(named: string | undefined, width: number): Platform {
  if (named === "MATCH" || named === "TABLET" || named === "CLASSIC") return named;
  return width < 768 ? "MATCH" : width < 1280 ? "TABLET" : "CLASSIC";
}

/** Keeps `data-platform` of the footers true to the window. The layout itself is the stylesheet's: nothing moves. */
export function followPlatform(root: Document): void {
  const update = () => {
    const platform = platformOf(root.documentElement.dataset.platform, window.innerWidth);
    for (const footer of root.querySelectorAll<HTMLElement>('footer[data-fragment="footer"]')) {
      footer.dataset.platform = platform;
    }
  };
  update();
  window.addEventListener("resize", update);
}
