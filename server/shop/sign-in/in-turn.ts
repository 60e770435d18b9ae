import { type BulkheadPolicy, BulkheadRejectedError, bulkhead } from "cockatiel";
import { LRUCache } from "lru-cache";
import { UnavailableError } from "../../errors.ts";

/** How many may wait for their turn. */
const waiting = 50;

/** Does what concerns the same key one after the other. Throws UnavailableError when too many wait already. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Keys are remembered as long as they are among the last thousands: a flood of others may let two in at once. */
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
