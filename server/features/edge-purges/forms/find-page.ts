import type { Acceptance } from "../../../upstream/message-sender.ts";

/**
 * Detects a page that answers in place of an edge: the shop's, the login of a proxy, or the default of a new host. All of
 * them answer 200.
 * @returns the fault, or undefined
 */
export function findPage({ headers, body }: Acceptance): string | undefined {
  const isHtml = /^(text\/html|application\/xhtml\+xml)\b/i.test(String(headers["content-type"]));
  return isHtml && /^\s*</.test(body) ? "a page has answered: does the address purge?" : undefined;
}
