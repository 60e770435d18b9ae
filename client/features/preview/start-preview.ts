import { readCookies } from "../../host-page/read-cookies.ts";

/** Loads the preview panel for staff, who have a cookie of the preview service. */
export function startPreview(footer: HTMLElement): void {
  if (!readCookies(document.cookie).preview) return;
  // The browser has logged what it couldn't load. The page works without it.
  import("./show-preview.tsx").then(({ showPreview }) => showPreview(footer)).catch(() => {});
}
