import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from "cockatiel";
import { second } from "../../client/rules/time.ts";
import { noteTold, UpstreamError } from "../errors.ts";
import type { Metrics } from "../metrics.ts";

/** How many failures in a row make an upstream count as down. */
const threshold = 5;
/** Time until one call may find out whether the upstream is back. */
const rest = 5 * second;
/** Longest time for that call. With the rest it is less than the 10 s in which a service that is back is to be seen. */
export const longestTry = 4 * second;

/**
 * Makes a call, or throws UpstreamError at once while the upstream counts as down.
 * @param call - gets whether it is the one that finds out whether the upstream is back. Nobody but the upstream may end
 * that one: test/server/upstreams/forwarder.test.ts
 */
export type Breaker = <T>(call: (findsOut: boolean) => Promise<T>) => Promise<T>;

/**
 * Creates the circuit breaker of one upstream.
 * @param name - what the error and the metrics call the upstream
 */
export function createBreaker(name: string, { upstreamsDown }: Pick<Metrics, "upstreamsDown">): Breaker {
  const failed = handleWhen((error) => error instanceof UpstreamError && error.mayBeDown);
  const breaker = circuitBreaker(failed, { breaker: new ConsecutiveBreaker(threshold), halfOpenAfter: rest });
  let down = 0;
  breaker.onStateChange((state) => {
    const before = down;
    down = state === CircuitState.Closed ? 0 : 1;
    upstreamsDown.inc({ upstream: name }, down - before);
  });
  upstreamsDown.inc({ upstream: name }, down);
  return async (call) => {
    // The library would let all others wait for that call, for as long as the upstream hangs:
    // test/server/upstreams/forwarder.test.ts
    if (breaker.state === CircuitState.HalfOpen) throw isDown();
    try {
      return await breaker.execute(() => call(breaker.state === CircuitState.HalfOpen));
    } catch (error) {
      throw error instanceof BrokenCircuitError ? isDown() : error;
    }
  };

  /** The log tells of the calls that made it count as down. */
  function isDown() {
    const error = new UpstreamError(name, "not asked, as it counts as down", { mayBeDown: false });
    noteTold(error);
    return error;
  }
}
