import { readCookies } from "../host-page/read-cookies.ts";
import { assignAbGroups } from "./assign-ab-groups.ts";
import { hideNewsletterFromSubscribers } from "./hide-newsletter.ts";
import { startPlatform } from "./platform.ts";
import { reduceFooter } from "./reduce-footer.ts";

/** Adapts a footer to what only the browser knows: the window, the cookies, the visitor. */
export function startFooter(footer: HTMLElement): void {
  const cookies = readCookies(document.cookie);
  startPlatform(footer, cookies);
  reduceFooter(footer, cookies);
  hideNewsletterFromSubscribers(footer, cookies);
  assignAbGroups(document);
}
