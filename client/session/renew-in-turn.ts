import { renewLoginToken, renewLongtermToken } from "../services/renew-token.ts";
import { inOneTab } from "./in-one-tab.ts";
import { outcome, outcomeOfStatus, outcomeOfToken, type RenewalOutcome } from "./outcome.ts";
import { readToken } from "./read-token.ts";
import { compareClocks, serverTime } from "./server-clock.ts";
import type { Tab } from "./tab.ts";

/**
 * Renews the login token if it is due. Only one tab of the site does so at a time.
 * @param call - aborts the renewal
 * @returns how the renewal ended; undefined when another tab renews the token or has renewed it
 */
export async function renewInTurn(tab: Tab, call: AbortController): Promise<RenewalOutcome | undefined> {
  try {
    return await inOneTab(tab, () => renewIfDue(tab, call));
  } catch {
    // A page that is being left gives no lock: the session goes on, and the host page mustn't notice.
    return "failed";
  }
}

async function renewIfDue(tab: Tab, call: AbortController): Promise<RenewalOutcome | undefined> {
  const token = readToken(tab.document.cookie);
  if (call.signal.aborted || !token || outcomeOfToken(token, serverTime(tab, token)) !== "due") return undefined;

  const { response } = await renewLoginToken(tab, call);
  const renewal = outcomeOfStatus(response.status);
  if (renewal !== outcome.renewed && renewal !== outcome.lastRenewed) return renewal;
  const renewed = readToken(tab.document.cookie);
  if (renewed) compareClocks(tab, renewed, response.headers.get("Date"));
  if (token.longTerm) void renewLongtermToken(tab, call);
  return renewal;
}
