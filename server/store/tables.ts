import type { Moment } from "../../client/rules/time.ts";

/**
 * The tables of the store; each feature adds its own to this interface. Moments are integers: the databases' own types
 * differ, but both store, compare and read integers alike.
 */
export interface Tables {
  rateLimit: RateLimitTable;
  seenClock: SeenClockTable;
}

/** A count against a limit. */
interface RateLimitTable {
  /** The limit's name, and an HMAC of the caller, address or device. */
  key: string;
  points: number;
  /** When the count starts again. */
  expiresAt: Moment;
}

/** The time of the last housekeeping, in a single row. */
interface SeenClockTable {
  id: 1;
  seenAt: Moment;
  /** Until when nothing is deleted, because the clock had moved too far. */
  heldUntil: Moment;
}
