import { type Milliseconds, minute, second } from "../../rules/time.ts";
import { loginTokenText, readToken } from "./login-cookie.ts";
import { isRenewalOutcome, judgeToken, outcome, type RenewalOutcome, renewInOneTab } from "./renewal.ts";

/** The time between two checks of a token. */
const interval: Milliseconds = 3 * minute;
/** The time between two checks while there is no token. */
const intervalWithoutToken: Milliseconds = 10 * second;

const activity = ["touchstart", "keydown", "scroll", "click"];

/** Messages between the tabs of a site: the outcome of a renewal, or that the token is gone because of a logout. */
type TabMessage = RenewalOutcome | "gone";

/**
 * Keeps the visitor's session alive while the tab is shown and used. It never ends a session: only the service does. It
 * listens until the session can't be renewed any more, and starts again when the page returns from the back-forward
 * cache or another tab has renewed the session. After a failed renewal no timer runs: the visitor's next activity tries
 * again once the backoff has passed.
 */
export function keepSession(): void {
  const backoff = createBackoff();
  let channel: BroadcastChannel | undefined;
  let listening = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let call: AbortController | undefined;
  let hadToken = false;

  function listen() {
    listening.abort();
    listening = new AbortController();
    // In the capture phase, because a host page may stop events before they bubble up to the window.
    const options = { signal: listening.signal, capture: true, passive: true };
    for (const type of [...activity, "visibilitychange"]) addEventListener(type, check, options);
    addEventListener("online", checkNow, options);
  }

  function check() {
    clearTimeout(timer);
    noticeLogout();
    if (call || isHidden()) return;
    const found = judgeToken();
    if (found === undefined) scheduleCheck();
    else if (found === "due") void renew();
    else conclude(found);
  }

  /** Checks at once, even during a backoff. */
  function checkNow() {
    backoff.reset();
    check();
  }

  function scheduleCheck() {
    clearTimeout(timer);
    if (isHidden()) return;
    timer = setTimeout(check, readToken(document.cookie) ? interval : intervalWithoutToken);
  }

  function noticeLogout() {
    const hasToken = Boolean(loginTokenText(document.cookie));
    if (hadToken && !hasToken) tellTabs("gone");
    hadToken = hasToken;
  }

  async function renew() {
    if (!navigator.onLine) return scheduleCheck();
    if (!backoff.isOver()) return;
    const own = new AbortController();
    call = own;
    const renewal = await renewInOneTab(own);
    if (call !== own) return;
    call = undefined;
    if (renewal === undefined) return scheduleCheck();
    tellTabs(renewal);
    conclude(renewal);
  }

  function conclude(renewal: RenewalOutcome) {
    if (renewal === outcome.notNeeded) {
      backoff.reset();
      scheduleCheck();
    } else if (renewal === outcome.lastRenewed || renewal === outcome.unknown || renewal === outcome.expired) {
      stop();
      listening.abort();
    } else {
      // The check after a success resets the backoff. If it still finds the old token, the backoff prevents a loop.
      backoff.grow();
      if (renewal === outcome.renewed) check();
    }
  }

  function stop() {
    clearTimeout(timer);
    call?.abort();
    call = undefined;
  }

  function tellTabs(message: TabMessage) {
    channel?.postMessage(message);
  }

  function receive(message: unknown) {
    if (message === outcome.renewed) listen();
    if (listening.signal.aborted) return;
    if (isRenewalOutcome(message)) conclude(message);
    if (message !== "gone") return;
    // The answer to a renewal in progress would bring the session back after the logout.
    stop();
    hadToken = false;
    check();
  }

  function show() {
    if (channel) return;
    channel = new BroadcastChannel("storefront.session");
    channel.onmessage = ({ data }) => receive(data);
    listen();
    checkNow();
  }

  // An open channel or a pending call would keep the page out of the back-forward cache.
  function hide() {
    noticeLogout();
    stop();
    listening.abort();
    channel?.close();
    channel = undefined;
  }

  addEventListener("pagehide", hide);
  addEventListener("pageshow", show);
  show();
}

function isHidden(): boolean {
  return document.visibilityState === "hidden";
}

const shortestBackoff: Milliseconds = 30 * second;
const longestBackoff: Milliseconds = 15 * minute;

/** Exponential backoff with jitter, so that not all tabs call a recovering service at once. */
function createBackoff() {
  let attempts = 0;
  let end = 0;
  return {
    // Unlike the time of day, this clock can't be set back.
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
