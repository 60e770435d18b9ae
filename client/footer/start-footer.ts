import { readCookies } from "../host-page/read-cookies.ts";
import { startPlatform } from "./platform.ts";
import { reduceFooter } from "./reduce-footer.ts";

/** Adapts a footer to what only the browser knows: the window, the cookies, the visitor. */
export function startFooter(footer: HTMLElement): void {
  const cookies = readCookies(document.cookie);
  startPlatform(footer, cookies);
  reduceFooter(footer, cookies);
  if (!("LoginToken" in cookies)) return;
  // The browser has already said what it couldn't load; the newsletter stays.
  import("./hide-newsletter.ts").then(({ hideNewsletter }) => hideNewsletter(footer)).catch(() => {});
}
