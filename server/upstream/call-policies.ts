import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  type IBackoff,
} from "cockatiel";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { markReported, nameOf, UpstreamError } from "../platform/errors.ts";
import type { Metrics } from "../platform/metrics.ts";

/** Idempotent methods (RFC 9110, 9.2.2). */
const idempotent = new Set(["GET", "HEAD", "PUT"]);
/** Connection errors, after which no complete answer came. */
const connectionErrors = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_SOCKET"]);
/** Statuses of a gateway, or of a restarting service. */
const transientStatuses = new Set([502, 503, 504]);
/** The longest pause before a repeat. It is random, so that not all callers repeat at once. */
const longestPause: Milliseconds = 100;

/**
 * Makes a call, and repeats it once after a transient fault if its method is idempotent.
 * @param signal - ends the call and its repeat
 */
export async function retryOnce<Answer extends { status: number; headers: IncomingHttpHeaders }>(
  method: string,
  call: () => Promise<Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  if (!idempotent.has(method)) return call();
  try {
    const answer = await call();
    if (!transientStatuses.has(answer.status) || answer.headers["retry-after"]) return answer;
  } catch (error) {
    if (signal.aborted || !connectionErrors.has(nameOf(error))) throw error;
  }
  await pause(Math.random() * longestPause, undefined, { signal });
  return call();
}

export interface CallLimits {
  /** The number of simultaneous calls. */
  maxCalls?: number;
  /** The number of further calls that may wait. */
  maxWaiting?: number;
}

/** Longest time for which a call waits. */
const longestWait: Milliseconds = second;

/**
 * Creates the call queue of one upstream.
 * @param name - the upstream's name in errors
 * @returns a function that makes a call as soon as there is room; it throws UpstreamError if too many others wait, or
 * the wait is too long
 */
export function createCallQueue(name: string, { maxCalls = 32, maxWaiting = 64 }: CallLimits) {
  const calls = bulkhead(maxCalls, maxWaiting);
  return async <T>(call: () => Promise<T>): Promise<T> => {
    const waiting = new AbortController();
    const tooLate = Promise.withResolvers<never>();
    // The library itself would let a call wait forever.
    const timer = setTimeout(() => {
      waiting.abort();
      tooLate.reject(isBusy());
    }, longestWait);
    // Without this, a call that has waited would run in the request context of the call that made room.
    const start = AsyncLocalStorage.bind(() => {
      clearTimeout(timer);
      return call();
    });
    try {
      return await Promise.race([calls.execute(start, waiting.signal), tooLate.promise]);
    } catch (error) {
      throw error instanceof BulkheadRejectedError ? isBusy() : error;
    } finally {
      clearTimeout(timer);
    }
  };

  function isBusy() {
    return new UpstreamError(name, "not asked, as too many calls are under way", { mayBeDown: false });
  }
}

/** The number of consecutive failures after which an upstream counts as down. */
const threshold = 5;
/** How long it isn't called then. */
const rest: Milliseconds = 5 * second;
/** The deadline of the probe after that. Together they stay below the 10 s in which a recovery must be noticed. */
export const probeDeadline = 4 * second;

/**
 * Begins a rest. The library compares its duration with the system's clock, so a clock that is set back would extend
 * it. Therefore the duration is infinite until the rest is over by a monotonic clock.
 */
function beginRest(): IBackoff<unknown> {
  const end = performance.now() + rest;
  return {
    next: beginRest,
    get duration() {
      return performance.now() < end ? Infinity : -Infinity;
    },
  };
}

/**
 * Creates the circuit breaker of one upstream.
 * @param name - the upstream's name in errors and metrics
 * @returns a function that makes a call, or throws UpstreamError at once while the upstream counts as down. It tells
 * the call whether it is the probe: only the upstream may end that, not a client that disconnects
 */
export function createBreaker(name: string, { upstreamsDown }: Pick<Metrics, "upstreamsDown">) {
  const failed = handleWhen((error) => error instanceof UpstreamError && error.mayBeDown);
  const breaker = circuitBreaker(failed, {
    breaker: new ConsecutiveBreaker(threshold),
    halfOpenAfter: { next: beginRest },
  });
  let down = 0;
  breaker.onStateChange((state) => {
    const before = down;
    down = state === CircuitState.Closed ? 0 : 1;
    upstreamsDown.inc({ upstream: name }, down - before);
  });
  upstreamsDown.inc({ upstream: name }, down);
  return async <T>(call: (isProbe: boolean) => Promise<T>): Promise<T> => {
    // The library would make all other calls wait for the probe, for as long as the upstream hangs.
    if (breaker.state === CircuitState.HalfOpen) throw isDown();
    try {
      return await breaker.execute(() => call(breaker.state === CircuitState.HalfOpen));
    } catch (error) {
      throw error instanceof BrokenCircuitError ? isDown() : error;
    }
  };

  /** The calls that made the upstream count as down are in the log. */
  function isDown() {
    const error = new UpstreamError(name, "not asked, as it counts as down", { mayBeDown: false });
    markReported(error);
    return error;
  }
}
