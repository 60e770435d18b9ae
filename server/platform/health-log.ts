import { hour, type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { isReported, markReported } from "./errors.ts";
import type { Logger } from "./logger.ts";

/** Why something has failed. */
interface Failure {
  /** In our own words, without personal data. */
  reason?: string | undefined;
  /** The error; logged when there is no reason. */
  err?: unknown;
  /** Further fields of the log line. */
  [field: string]: unknown;
}

export type HealthLog = ReturnType<typeof createHealthLog>;

interface HealthLogOptions {
  /** Messages for a failure and for the recovery. */
  down: string;
  up: string;
  /** Fields of every line. */
  fields?: object;
  /** `error` where the service itself is at fault. */
  level?: "warn" | "error";
}

/** Shortest time between two failure lines. It doubles with each line of an outage, up to the longest. */
const shortestPause: Milliseconds = minute;
const longestPause: Milliseconds = hour;

/**
 * Creates the log of something the service depends on: one line when an outage begins, with the reason; reminders at growing intervals, with the
 * number of failures and the duration; and one line on recovery. Something flapping logs once a minute.
 */
export function createHealthLog(logger: Logger, { down, up, fields, level = "warn" }: HealthLogOptions) {
  let since: Milliseconds | undefined;
  let failures = 0;
  let lines = 0;
  let loggedAt = -Infinity;
  return {
    /** Counts a failure, unless another health log has reported the same error. */
    failed({ reason, err, ...more }: Failure) {
      if (isReported(err)) return;
      markReported(err);
      const now = performance.now();
      since ??= now;
      failures += 1;
      if (now - loggedAt < Math.min(shortestPause * 2 ** lines, longestPause)) return;
      loggedAt = now;
      lines += 1;
      const why = reason === undefined ? { err } : { reason };
      const count = failures > 1 && { failures, lastedSeconds: secondsFrom(since) };
      logger[level]({ ...fields, ...why, ...more, ...count }, down);
    },
    answered() {
      if (since === undefined) return;
      // Failures not logged yet count towards the next outage.
      if (lines > 0) {
        logger.info({ ...fields, failures, lastedSeconds: secondsFrom(since) }, up);
        failures = 0;
        lines = 0;
      }
      since = undefined;
    },
  };
}

function secondsFrom(moment: Milliseconds): number {
  return Math.round((performance.now() - moment) / second);
}
