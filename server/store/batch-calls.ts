import { setImmediate as afterIncoming } from "node:timers/promises";
import { type Milliseconds, second } from "../../client/rules/time.ts";

/** The maximum number of calls per batch. A statement has room for the parameters of many more. */
const maxBatch = 100;
/**
 * While the database works on one batch, the next one is prepared, which increases PostgreSQL's throughput by a third.
 */
const maxParallel = 2;
/**
 * If a batch fails sooner than this, its calls are retried one by one. The time is longer than PostgreSQL takes to
 * detect a deadlock, and shorter than it takes to notice that the database doesn't answer. In the latter case all
 * waiting calls fail with the batch, so that none waits twice as long.
 */
const retriedWithin: Milliseconds = 1.5 * second;

interface BatchOptions<Input, Output> {
  /** Two calls with the same key are never in one batch. */
  keyOf(input: Input): string;
  /** Does the work of several calls, and returns their results in order. */
  work(inputs: readonly Input[]): Promise<readonly Output[]>;
}

interface Call<Input, Output> {
  key: string;
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/**
 * Batches concurrent calls, for work that costs little more for many than for one, such as a transaction. Calls that
 * arrive during a batch form the next one. No call fails because of another's input.
 */
export function batchCalls<Input, Output>({ keyOf, work }: BatchOptions<Input, Output>) {
  const waiting = new Set<Call<Input, Output>>();
  let running = 0;
  return async (input: Input): Promise<Output> => {
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    waiting.add({ key: keyOf(input), input, resolve, reject });
    if (running < maxParallel) void runBatches();
    return promise;
  };

  async function runBatches(): Promise<void> {
    running++;
    // Requests that have arrived together share a batch.
    await afterIncoming();
    while (waiting.size > 0) {
      await runBatch(takeBatch());
      await afterIncoming();
    }
    running--;
  }

  function takeBatch(): Call<Input, Output>[] {
    const batch = new Map<string, Call<Input, Output>>();
    for (const call of waiting) {
      if (batch.size === maxBatch) break;
      if (batch.has(call.key)) continue;
      batch.set(call.key, call);
      waiting.delete(call);
    }
    return [...batch.values()];
  }

  async function runBatch(batch: readonly Call<Input, Output>[]): Promise<void> {
    const start = performance.now();
    try {
      await answer(batch);
    } catch (error) {
      const isSlow = performance.now() - start >= retriedWithin;
      for (const call of batch) {
        if (isSlow || batch.length === 1) call.reject(error);
        else void answer([call]).catch(call.reject);
      }
      if (!isSlow) return;
      for (const { reject } of waiting) reject(error);
      waiting.clear();
    }
  }

  async function answer(calls: readonly Call<Input, Output>[]): Promise<void> {
    const outputs = await work(calls.map(({ input }) => input));
    for (const [index, output] of outputs.entries()) calls[index]?.resolve(output);
  }
}
