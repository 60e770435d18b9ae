import type { Acceptance } from "../../../upstream/message-sender.ts";

/**
 * Finds out whether a page has answered in place of an edge: that of a shop, of a proxy that asks for a login, or of a
 * host that isn't set up. All answer 200.
 * @returns the fault, or undefined
 */
export function findPage({ headers, body }: Acceptance): string | undefined {
  const isHtml = /^(text\/html|application\/xhtml\+xml)\b/i.test(String(headers["content-type"]));
  return isHtml && /^\s*</.test(body) ? "a page has answered: does the address purge?" : undefined;
}
