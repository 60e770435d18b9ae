import { AsyncLocalStorage } from "node:async_hooks";
import { BulkheadRejectedError, bulkhead } from "cockatiel";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { UpstreamError } from "../errors.ts";

export interface CallLimits {
  /** How many calls are under way at once. */
  maxCalls?: number;
  /** How many more calls wait for their turn. */
  maxWaiting?: number;
  /** Longest time until it is a call's turn. */
  maxWait?: Milliseconds;
}

/** Makes a call when it is its turn. It throws UpstreamError when too many others wait, or its turn doesn't come. */
export type CallQueue = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Creates the queue of the calls of one upstream.
 * @param name - what the error calls the upstream
 */
export function createCallQueue(
  name: string,
  { maxCalls = 32, maxWaiting = 64, maxWait = second }: CallLimits,
): CallQueue {
  const calls = bulkhead(maxCalls, maxWaiting);
  return async (call) => {
    const turn = new AbortController();
    const tooLate = Promise.withResolvers<never>();
    // The library alone would let a call wait until a place is free.
    const timer = setTimeout(() => {
      turn.abort();
      tooLate.reject(isBusy());
    }, maxWait);
    // A call that has waited would else be a part of the work that ends and lets it begin:
    // test/server/tracing/work.test.ts
    const made = calls.execute(
      AsyncLocalStorage.bind(() => {
        clearTimeout(timer);
        return call();
      }),
      turn.signal,
    );
    try {
      return await Promise.race([made, tooLate.promise]);
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
