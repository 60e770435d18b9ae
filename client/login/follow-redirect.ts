import { readCookies } from "../host-page/read-cookies.ts";
import { redirectCookie, safeRedirect } from "../rules/safe-redirect.ts";

/** Leaves the login page for where the visitor was going; going back doesn't lead to it again. */
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
