import { readCookies } from "../host-page/read-cookies.ts";
import { redirectCookie, safeRedirect } from "../rules/safe-redirect.ts";

/** Leads the visitor from the login page to where they were going. The browser's history forgets the login page. */
export function followRedirect(): void {
  const target = decode(readCookies(document.cookie)[redirectCookie]);
  // biome-ignore lint/suspicious/noDocumentCookie: not all supported browsers have the Cookie Store API
  document.cookie = `${redirectCookie}=; Path=/; Max-Age=0`;
  location.replace(safeRedirect(target, new URL(location.href)));
}

function decode(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
