import type { QueueColumns } from "../queue/queue-columns.ts";

declare module "../store/tables.ts" {
  interface Tables {
    newsletterEvent: NewsletterEventTable;
  }
}

/** What the newsletter's receiver has yet to be told. A row is removed once it is told. */
interface NewsletterEventTable extends QueueColumns {
  type: EventType;
  site: string;
  email: string;
  /** Place among the events that wait for this address and site: each comes after all with a lower one. */
  position: number;
  /** What the event tells, as JSON; no token is in it. */
  data: string;
}

/** What has become of a subscription. */
export type EventType = "confirmed" | "changed" | "unsubscribed" | "erased";
