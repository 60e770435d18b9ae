import { readCookies } from "../../host-page/read-cookies.ts";

/**
 * Loads the preview panel for visitors with the cookie that the preview service sets for staff.
 */
export function startPreview(footer: HTMLElement): void {
  if (!readCookies(document.cookie).preview) return;
  // The browser has logged what it couldn't load; the page works without.
  import("./show-preview.tsx").then(({ showPreview }) => showPreview(footer)).catch(() => {});
}
