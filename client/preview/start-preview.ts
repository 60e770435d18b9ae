import { readCookies } from "../host-page/read-cookies.ts";

/**
 * Shows the preview panel to visitors who have the cookie that the preview service gives staff. Nobody
 * else loads its code.
 */
export function startPreview(footer: HTMLElement): void {
  if (!readCookies(document.cookie).preview) return;
  // The browser has already said what it couldn't load; the page works without.
  import("./show-preview.tsx").then(({ showPreview }) => showPreview(footer)).catch(() => {});
}
