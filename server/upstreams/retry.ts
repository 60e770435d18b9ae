import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Milliseconds } from "../../client/rules/time.ts";

/** Methods whose calls may be made twice: https://www.rfc-editor.org/rfc/rfc9110#section-9.2.2 */
const repeatable = new Set(["GET", "HEAD", "PUT"]);
/** Statuses by which a gateway, or a service that is restarted, says that another try may succeed. */
const passing = new Set([502, 503, 504]);
/** Faults of a connection, in which no whole answer came. */
const ofConnections = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_SOCKET"]);

/** How many calls may be repeated, as a share of all. An upstream that is overloaded gets no more than this on top. */
const share = 0.1;
/** How many repeats may be saved up. */
const mostSaved = 10;
/** Longest pause before a repeat; it is drawn at random, so that not all callers repeat at once. */
const longestPause: Milliseconds = 100;

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
}

/**
 * Makes a call, and once more where that harms nobody and may help: the call changes nothing that it hasn't changed
 * already, and has met a fault that passes.
 * @param signal - ends the call and its repeat
 */
export type Retry = <T extends Answer>(method: string, call: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** Creates what repeats the calls of one upstream, up to a tenth of them. */
export function createRetry(): Retry {
  let saved = 1;
  return async (method, call, signal) => {
    saved = Math.min(saved + share, mostSaved);
    try {
      const answer = await call();
      if (!isPassing(answer) || !mayRepeat(method)) return answer;
    } catch (error) {
      if (signal.aborted || !isOfConnection(error) || !mayRepeat(method)) throw error;
    }
    await pause(Math.random() * longestPause, undefined, { signal });
    return call();
  };

  /** Tells whether there is a repeat left, and takes it. */
  function mayRepeat(method: string): boolean {
    if (!repeatable.has(method) || saved < 1) return false;
    saved -= 1;
    return true;
  }
}

/** Tells whether an answer stands for a fault that passes. One that says when to come again isn't to be repeated now. */
function isPassing({ status, headers }: Answer): boolean {
  return passing.has(status) && !headers["retry-after"];
}

function isOfConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && ofConnections.has(String(error.code));
}
