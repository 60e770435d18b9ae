import type { Moment } from "../../../client/rules/time.ts";

/** The columns that every queue has. */
export interface QueueColumns {
  id: string;
  attempts: number;
  nextAttemptAt: Moment;
  leasedUntil: Moment | null;
  createdAt: Moment;
}
