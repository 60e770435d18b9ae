import { outcomeOfStatus, type Renewal } from "../session/outcome.ts";
import type { Tab } from "../session/tab.ts";

const api = "/service/login/api/v1";

/** After which a call has failed, so that it doesn't keep other tabs from theirs; in milliseconds. */
const timeout = 15_000;

/**
 * Asks the login service for a new token, which it sets as a cookie.
 * @returns how that ended, and the answer's Date header
 * @throws when there is no answer
 */
export async function renewLoginToken(
  tab: Tab,
  call: AbortController,
): Promise<{ renewal: Renewal; date: string | null }> {
  const timer = setTimeout(() => call.abort(), timeout);
  try {
    const { status, headers } = await post(tab, "logintoken", {
      headers: { "Content-Type": "application/json" },
      body: "{}",
      signal: call.signal,
    });
    return { renewal: outcomeOfStatus(status), date: headers.get("Date") };
  } finally {
    clearTimeout(timer);
  }
}

/** Asks the login service to prolong the long-term login. Whether it does is its own affair. */
export function renewLongtermToken(tab: Tab, { signal }: AbortController): void {
  post(tab, "longtermtoken", { signal }).catch(() => {});
}

/**
 * Follows no redirect: what a network puts in between, to log in to it, isn't the service's answer. Reads the answer to
 * its end: until then the browser keeps the connection.
 */
async function post(tab: Tab, token: string, { headers, ...request }: RequestInit): Promise<Response> {
  const response = await tab.fetch(`${api}/${token}/renew`, {
    method: "POST",
    headers: { ...headers, "X-hunter-csrf": "1" },
    redirect: "error",
    ...request,
  });
  await response.text();
  return response;
}
