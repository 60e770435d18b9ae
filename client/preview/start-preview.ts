import { readCookies } from "../host-page/read-cookies.ts";

let started = false;

/**
 * Shows the preview panel, once per page, to visitors who have the cookie that the preview service gives staff. Nobody
 * else loads its code.
 */
export function startPreview(footer: HTMLElement): void {
  if (started || !readCookies(document.cookie).preview) return;
  started = true;
  // The browser has already said what it couldn't load; the page works without.
  import("./show-preview.tsx").then(({ showPreview }) => showPreview(footer)).catch(() => {});
}
