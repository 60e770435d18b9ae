import type { LoginToken } from "../../rules/login-token.ts";
import { type Milliseconds, second } from "../../rules/time.ts";
import { callService, type ServiceAnswer, type ServiceRequest, timeout } from "../../services/call-service.ts";
import { readToken } from "./login-cookie.ts";

/** The outcomes of checking a login token. */
export const outcome = {
  renewed: 0,
  /** Renewed once more: the session has reached its absolute end. */
  lastRenewed: 1,
  serverError: 2,
  /** The service doesn't know the session. */
  unknown: 3,
  notNeeded: 4,
  expired: 5,
} as const;

type Outcome = (typeof outcome)[keyof typeof outcome];

/** The outcome of a renewal: that of a check, or "failed" for a call without a meaningful answer. */
export type RenewalOutcome = Outcome | "failed";

const longestWait: Milliseconds = 2 * second;

/**
 * Judges the token of the page's cookies without asking the service.
 * @returns "due" for a token that must be renewed; undefined without a token
 */
export function judgeToken(): Outcome | "due" | undefined {
  const token = readToken(document.cookie);
  if (!token) return undefined;
  const now = serverTime(token);
  if (now >= token.exp) return outcome.expired;
  return now < token.ren ? outcome.notNeeded : "due";
}

/**
 * Interprets the HTTP status of the answer to a renewal.
 * @param status - 0 if there was no answer
 * @returns "failed" for a status that says nothing about the session, such as 403 or 429
 */
function outcomeOfStatus(status: number): RenewalOutcome {
  if (status === 201) return outcome.renewed;
  if (status === 200) return outcome.lastRenewed;
  if (status === 401) return outcome.unknown;
  return status >= 500 ? outcome.serverError : "failed";
}

/** Checks a message from another tab, which may run another build of this script. */
export function isRenewalOutcome(message: unknown): message is RenewalOutcome {
  return message === "failed" || Object.values<unknown>(outcome).includes(message);
}

/**
 * Renews the login token if it is due. Only one tab of the site does so at a time.
 * @param call - aborts the renewal
 * @returns undefined if another tab is renewing the token or has renewed it
 */
export async function renewInOneTab(call: AbortController): Promise<RenewalOutcome | undefined> {
  const { locks }: { locks?: LockManager } = navigator;
  try {
    if (locks) {
      const options = { ifAvailable: true };
      return await locks.request("storefront.session", options, async (lock) => (lock ? renewIfDue(call) : undefined));
    }
    // Pages without HTTPS have no locks (https://w3c.github.io/web-locks/#navigator-mixins): a random delay lets all tabs
    // but the quickest see the renewed token.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longestWait));
    return await renewIfDue(call);
  } catch {
    // A page that is being left gets no lock. The session goes on, and the host page must not see an error.
    return "failed";
  }
}

async function renewIfDue(call: AbortController): Promise<RenewalOutcome | undefined> {
  const token = readToken(document.cookie);
  if (call.signal.aborted || !token || judgeToken() !== "due") return undefined;

  const { response } = await renewLoginToken(call);
  const renewal = outcomeOfStatus(response.status);
  if (renewal !== outcome.renewed && renewal !== outcome.lastRenewed) return renewal;
  const renewed = readToken(document.cookie);
  if (renewed) saveClockOffset(renewed, response.headers.get("Date"));
  // Nothing depends on the answer.
  if (token.longTerm) void postRenewal("longtermtoken", { signal: call.signal });
  return renewal;
}

/** Calls the login service, which sets the new token as a cookie. Aborts `call` itself when the service is too slow. */
async function renewLoginToken(call: AbortController): Promise<ServiceAnswer> {
  // Not all supported browsers can join two signals (https://caniuse.com/mdn-api_abortsignal_any_static).
  const timer = setTimeout(() => call.abort(), timeout);
  const answer = await postRenewal("logintoken", { body: {}, signal: call.signal });
  clearTimeout(timer);
  return answer;
}

/** Follows no redirect: one would lead to the login page of a network, not to an answer of the service. */
function postRenewal(token: string, request: ServiceRequest): Promise<ServiceAnswer> {
  return callService(`/service/login/api/v1/${token}/renew`, { method: "POST", redirect: "error", ...request });
}

const key = "storefront.login-clock";

/** Differences below this, in seconds, count as none: an answer takes time, and a Date header has whole seconds. */
const tolerance = 5;

/**
 * Returns the service's time, in seconds since 1970: the device's clock, corrected by its offset when the service issued
 * the token. Without a saved offset the device's clock counts.
 */
function serverTime({ exp }: LoginToken): number {
  const [issued, offset] = readOffset().split(" ").map(Number);
  return Math.floor(Date.now() / 1000) + (issued === exp && offset ? offset : 0);
}

/**
 * Saves the offset of the device's clock for all tabs, and for this token only, as the visitor may correct the clock
 * later. Saves nothing if the clock is right.
 * @param date - the Date header of the answer that issued the token
 */
function saveClockOffset({ exp }: LoginToken, date: string | null): void {
  const offset = Math.round((Date.parse(date ?? "") - Date.now()) / 1000);
  if (!(Math.abs(offset) >= tolerance)) return;
  try {
    localStorage.setItem(key, `${exp} ${offset}`);
  } catch {
    // Storage may be full or forbidden: the device's clock has to do.
  }
}

function readOffset(): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}
