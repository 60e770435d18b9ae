import type { QueueColumns } from "../queue/queue-columns.ts";

declare module "../store/tables.ts" {
  interface Tables {
    /** What the edge has yet to forget. The id is a key of `Surrogate-Key`; a row is removed once the edge was told. */
    purge: QueueColumns;
  }
}
