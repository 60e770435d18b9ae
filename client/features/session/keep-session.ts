import type { LoginToken } from "../../rules/login-token.ts";
import { type Milliseconds, minute, second } from "../../rules/time.ts";
import { callService } from "../../services/call-service.ts";
import { readToken } from "./login-cookie.ts";

/** The time between two checks of a token. */
const interval: Milliseconds = 3 * minute;
/** The time between two checks while there is no token. */
const intervalWithoutToken: Milliseconds = 10 * second;

const activity = ["touchstart", "keydown", "scroll", "click"];

/**
 * Keeps the visitor's session alive while the tab is shown and used. Never ends a session: only the service does.
 * Listens until the session can't be renewed any more, and starts again when the page returns from the back-forward
 * cache. After a failed renewal no timer runs: the visitor's next activity tries again once the backoff has passed.
 */
export function keepSession(): void {
  const backoff = createBackoff();
  let listening = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRenewing = false;

  function start() {
    listening.abort();
    listening = new AbortController();
    // In the capture phase, because a host page may stop events before they bubble up to the window.
    const options = { signal: listening.signal, capture: true, passive: true };
    for (const type of [...activity, "visibilitychange"]) addEventListener(type, check, options);
    addEventListener("online", checkNow, options);
    checkNow();
  }

  /** Checks at once, even during a backoff. */
  function checkNow() {
    backoff.reset();
    check();
  }

  function check() {
    clearTimeout(timer);
    if (isRenewing || isHidden()) return;
    const token = readToken(document.cookie);
    if (!token) return scheduleCheck();
    const found = judgeToken(token);
    if (found === undefined) return void renew();
    conclude(found);
  }

  /** A check in a hidden tab does nothing, and schedules no other. */
  function scheduleCheck() {
    timer = setTimeout(check, readToken(document.cookie) ? interval : intervalWithoutToken);
  }

  async function renew() {
    if (!navigator.onLine) return scheduleCheck();
    if (!backoff.isOver()) return;
    isRenewing = true;
    const found = await renewInOneTab();
    isRenewing = false;
    if (found === undefined) scheduleCheck();
    else conclude(found);
  }

  function conclude(found: Outcome) {
    if (found === outcome.lastRenewed || found === outcome.unknown || found === outcome.expired) {
      listening.abort();
    } else if (found === outcome.notNeeded) {
      backoff.reset();
      scheduleCheck();
    } else {
      // The next check after a success resets the backoff. If that check still finds the old token, the backoff
      // prevents a loop.
      backoff.grow();
      if (found === outcome.renewed) check();
    }
  }

  addEventListener("pageshow", ({ persisted }) => persisted && start());
  start();
}

function isHidden(): boolean {
  return document.visibilityState === "hidden";
}

/** The outcomes of a renewal, by the codes of the login service's specification. */
const outcome = {
  renewed: 0,
  /** Renewed for the last time: the session has reached its absolute end. */
  lastRenewed: 1,
  /** No answer, or an answer that says nothing about the session, such as 429 or 500. */
  failed: 2,
  /** The service doesn't know the session. */
  unknown: 3,
  notNeeded: 4,
  expired: 5,
} as const;

type Outcome = (typeof outcome)[keyof typeof outcome];

/**
 * Judges a token without asking the service.
 * @returns undefined if it must be renewed
 */
function judgeToken(token: LoginToken): Outcome | undefined {
  const now = serverTime(token);
  if (now >= token.exp) return outcome.expired;
  return now < token.ren ? outcome.notNeeded : undefined;
}

function outcomeOf(status: number): Outcome {
  if (status === 201) return outcome.renewed;
  if (status === 200) return outcome.lastRenewed;
  return status === 401 ? outcome.unknown : outcome.failed;
}

/**
 * Renews the login token if it is due, in one tab of the site at a time.
 * @returns undefined if another tab renews or has renewed it
 */
async function renewInOneTab(): Promise<Outcome | undefined> {
  const { locks }: { locks?: LockManager } = navigator;
  // Pages without HTTPS have no locks (https://w3c.github.io/web-locks/#navigator-mixins).
  if (!locks) return renewIfDue();
  try {
    const options = { ifAvailable: true };
    return await locks.request("storefront.session", options, async (lock) => (lock ? renewIfDue() : undefined));
  } catch {
    // A page that is being left gets no lock. The session continues, and the host page must not see an error.
    return outcome.failed;
  }
}

async function renewIfDue(): Promise<Outcome | undefined> {
  const token = readToken(document.cookie);
  if (!token || judgeToken(token) !== undefined) return undefined;
  const { status, headers } = await postRenewal("logintoken", {});
  const found = outcomeOf(status);
  if (found !== outcome.renewed && found !== outcome.lastRenewed) return found;
  const renewed = readToken(document.cookie);
  if (renewed) saveClockOffset(renewed, headers.get("Date"));
  // The answer doesn't matter.
  if (token.longTerm) void postRenewal("longtermtoken");
  return found;
}

/** Follows no redirect: it would come from the login page of a network, not from the service. */
async function postRenewal(token: string, body?: object): Promise<Response> {
  const address = `/service/login/api/v1/${token}/renew`;
  return (await callService(address, { method: "POST", redirect: "error", ...(body && { body }) })).response;
}

const key = "storefront.login-clock";

/** Smaller differences, in seconds, count as none: an answer takes time, and a Date header has whole seconds. */
const tolerance = 5;

/**
 * Returns the service's time, in seconds since 1970: the device's clock, corrected by the offset that was saved when
 * the service issued the token. Without a saved offset, the device's clock is used as it is.
 */
function serverTime({ exp }: LoginToken): number {
  const [issued, offset] = readOffset().split(" ").map(Number);
  return Math.floor(Date.now() / 1000) + (issued === exp && offset ? offset : 0);
}

/**
 * Saves the offset of the device's clock for all tabs. It is valid for this token only, because the visitor may correct
 * the clock later. Saves nothing if the clock is right.
 * @param date - the Date header of the answer that issued the token
 */
function saveClockOffset({ exp }: LoginToken, date: string | null): void {
  const offset = Math.round((Date.parse(date ?? "") - Date.now()) / 1000);
  if (!(Math.abs(offset) >= tolerance)) return;
  try {
    localStorage.setItem(key, `${exp} ${offset}`);
  } catch {
    // Storage may be full or forbidden. Then the device's clock is used as it is.
  }
}

function readOffset(): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

const shortestBackoff: Milliseconds = 30 * second;
const longestBackoff: Milliseconds = 15 * minute;

/** Exponential backoff with jitter, so that tabs don't all call a recovering service at once. */
function createBackoff() {
  let attempts = 0;
  let end = 0;
  return {
    // Unlike `Date.now()`, this clock can't be set back.
    isOver: () => performance.now() >= end,
    grow() {
      const length = Math.min(shortestBackoff * 2 ** attempts, longestBackoff);
      end = performance.now() + (length * (1 + Math.random())) / 2;
      attempts += 1;
    },
    reset() {
      attempts = 0;
      end = 0;
    },
  };
}
