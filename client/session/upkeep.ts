import { type Milliseconds, minute, second } from "../rules/time.ts";
import { loginTokenText } from "./login-cookie.ts";
import { isRenewal, outcome, outcomeOfToken, type RenewalOutcome } from "./outcome.ts";
import { createPause } from "./pause.ts";
import { readToken } from "./read-token.ts";
import { renewInTurn } from "./renew-in-turn.ts";
import { serverTime } from "./server-clock.ts";
import type { Tab } from "./tab.ts";

/** The time between two checks of a token. */
const interval: Milliseconds = 3 * minute;
/** The time between two looks for a token where there is none. */
const intervalWithoutToken: Milliseconds = 10 * second;

/** What tabs tell each other: how a renewal has ended, or that the token is gone because somebody has logged out. */
type News = RenewalOutcome | "gone";

interface Surroundings {
  /** Tells the other tabs of the site. */
  tell(news: News): void;
  /** Called when there is nothing left to keep up. */
  end(): void;
}

export interface Upkeep {
  /** Looks at the token, renews it when it is time, and plans the next look; a hidden tab does nothing. */
  check(): void;
  /** Checks at once, also while a pause after a failure goes on. */
  checkAnew(): void;
  /** Reacts to what another tab tells, which may be of another build. */
  hear(news: unknown): void;
  /** Stops everything, as the page is being left. */
  leave(): void;
}

/**
 * Renews the login token in time, and never ends a session: only the service does. After a failed renewal no timer
 * runs; the next check comes with the visitor, and tries again when the pause is over.
 */
export function createUpkeep(tab: Tab, { tell, end }: Surroundings): Upkeep {
  const pause = createPause();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let call: AbortController | undefined;
  let hadToken = false;

  const isHidden = () => tab.document.visibilityState === "hidden";

  function check() {
    clearTimeout(timer);
    noticeLogout();
    if (call || isHidden()) return;
    const token = readToken(tab.document.cookie);
    const found = token && outcomeOfToken(token, serverTime(tab, token));
    if (found === undefined) checkLater();
    else if (found === "due") void renew();
    else conclude(found);
  }

  function checkLater() {
    clearTimeout(timer);
    if (isHidden()) return;
    timer = setTimeout(check, readToken(tab.document.cookie) ? interval : intervalWithoutToken);
  }

  function noticeLogout() {
    const hasToken = Boolean(loginTokenText(tab.document.cookie));
    if (hadToken && !hasToken) tell("gone");
    hadToken = hasToken;
  }

  async function renew() {
    if (!tab.navigator.onLine) return checkLater();
    if (!pause.over()) return;
    const own = new AbortController();
    call = own;
    const renewal = await renewInTurn(tab, own);
    if (call !== own) return;
    call = undefined;
    if (renewal === undefined) return checkLater();
    tell(renewal);
    conclude(renewal);
  }

  function conclude(renewal: RenewalOutcome) {
    if (renewal === outcome.notNeeded) {
      pause.end();
      checkLater();
    } else if (renewal === outcome.lastRenewed || renewal === outcome.unknown || renewal === outcome.expired) {
      stop();
      end();
    } else {
      // The check after a success ends the pause. If it finds the old token still there, the pause keeps it from asking:
      // test/client/session/renewals.test.ts
      pause.grow();
      if (renewal === outcome.renewed) check();
    }
  }

  function stop() {
    clearTimeout(timer);
    call?.abort();
    call = undefined;
  }

  function checkAnew() {
    pause.end();
    check();
  }

  function hear(news: unknown) {
    if (isRenewal(news)) conclude(news);
    if (news !== "gone") return;
    // A renewal that is answered after the logout would bring the session back: test/client/session/tabs.test.ts
    stop();
    hadToken = false;
    check();
  }

  function leave() {
    noticeLogout();
    stop();
  }

  return { check, checkAnew, hear, leave };
}
