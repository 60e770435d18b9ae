import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from "cockatiel";
import { second } from "../../client/rules/time.ts";
import { UpstreamError } from "../errors.ts";

/** How many failures in a row make an upstream count as down. */
const threshold = 5;
/** Time until one call may find out whether the upstream is back. */
const rest = 10 * second;

/**
 * Makes a call, or throws UpstreamError at once while the upstream counts as down.
 * @param call - gets whether it is the one that finds out whether the upstream is back. Nobody but the upstream may end
 * that one: test/server/upstreams/forwarder.test.ts
 */
export type Breaker = <T>(call: (findsOut: boolean) => Promise<T>) => Promise<T>;

/**
 * Creates the circuit breaker of one upstream.
 * @param name - what the error calls the upstream
 */
export function createBreaker(name: string): Breaker {
  const failed = handleWhen((error) => error instanceof UpstreamError && error.mayBeDown);
  const breaker = circuitBreaker(failed, { breaker: new ConsecutiveBreaker(threshold), halfOpenAfter: rest });
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

  function isDown() {
    return new UpstreamError(name, "not asked, as it counts as down", { mayBeDown: false });
  }
}
