import { type Milliseconds, second } from "../../../client/rules/time.ts";
import type { Job } from "../../drain.ts";
import type { Parts } from "../../parts.ts";
import { askTime } from "./ask-time.ts";
import type { Database } from "./open-store.ts";

/** Time between two questions, and the longest time that an answer may take. */
const interval: Milliseconds = 2 * second;

/** Creates the job that tells operators whether the store answers. Nothing else of the service depends on what it says. */
export function watchStore(db: Database, { metrics, readiness }: Pick<Parts, "metrics" | "readiness">): Job {
  let timer: NodeJS.Timeout | undefined;
  let isAsked = false;
  return {
    start() {
      timer = setInterval(look, interval).unref();
      look();
    },
    async close() {
      clearInterval(timer);
    },
  };

  function look() {
    if (isAsked) return tell(false);
    isAsked = true;
    void askTime(db)
      .then(
        () => tell(true),
        () => tell(false),
      )
      .finally(() => {
        isAsked = false;
      });
  }

  function tell(answers: boolean) {
    readiness.store = answers ? "up" : "down";
    metrics.storeUp.set(answers ? 1 : 0);
  }
}
