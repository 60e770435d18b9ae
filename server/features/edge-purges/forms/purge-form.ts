import { type Milliseconds, type Moment, second } from "../../../../client/rules/time.ts";
import type { DeliveryFailure } from "../../../upstream/message-sender.ts";

/** The maximum time for one request. */
export const sendTimeout: Milliseconds = 5 * second;

/** A tag that the edge must drop, and since when. */
export interface Purge {
  tag: string;
  at: Moment;
}

/** How an edge is asked to purge. */
export interface PurgeForm {
  /** The most tags that one request may name. */
  tagsPerRequest: number;
  /**
   * Asks the edge to purge tags, in one request.
   * @returns undefined if the edge has accepted it
   */
  send(purges: readonly Purge[]): Promise<DeliveryFailure | undefined>;
  close(): Promise<void>;
}
