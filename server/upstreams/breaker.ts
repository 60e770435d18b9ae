import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from "cockatiel";
import { second } from "../../client/rules/time.ts";
import { UpstreamError } from "../errors.ts";

/** How many failures in a row make an upstream count as down. */
const threshold = 5;
/** Time until one call may find out whether the upstream is back. */
const rest = 10 * second;

/** Makes a call, or throws UpstreamError at once while the upstream counts as down. */
export type Breaker = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Creates the circuit breaker of one upstream.
 * @param name - what the error calls the upstream
 */
export function createBreaker(name: string): Breaker {
  // However the one call that tries again ends, only an answer shows that the upstream is back:
  // test/server/upstreams/forwarder.test.ts
  const failed = handleWhen((error) => error instanceof UpstreamError || breaker.state === CircuitState.HalfOpen);
  const breaker = circuitBreaker(failed, { breaker: new ConsecutiveBreaker(threshold), halfOpenAfter: rest });
  return async (call) => {
    // The library would let all others wait for that call, for as long as the upstream hangs:
    // test/server/upstreams/forwarder.test.ts
    if (breaker.state === CircuitState.HalfOpen) throw isDown();
    try {
      return await breaker.execute(call);
    } catch (error) {
      throw error instanceof BrokenCircuitError ? isDown() : error;
    }
  };

  function isDown() {
    return new UpstreamError(name, "not asked, as it counts as down");
  }
}
