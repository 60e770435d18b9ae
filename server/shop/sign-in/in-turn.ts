import { type BulkheadPolicy, BulkheadRejectedError, bulkhead } from "cockatiel";
import { LRUCache } from "lru-cache";
import { UnavailableError } from "../../errors.ts";

/** How many calls may wait for their turn. */
const waiting = 50;

/** Does the works of one key one after the other. It throws UnavailableError when too many wait already. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue per key. It remembers the last thousands of keys alone: a flood of others may let two works of one
 * key run at once.
 */
export function createTurns(): InTurn {
  const turns = new LRUCache<string, BulkheadPolicy>({ max: 5_000, memoMethod: () => bulkhead(1, waiting) });
  return async (key, work) => {
    try {
      return await turns.memo(key).execute(work);
    } catch (cause) {
      if (!(cause instanceof BulkheadRejectedError)) throw cause;
      throw new UnavailableError("too many wait for the same", { cause });
    }
  };
}
