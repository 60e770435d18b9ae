import { hour, type Milliseconds, minute, second } from "../client/rules/time.ts";
import { isTold, noteTold } from "./errors.ts";
import type { Logger } from "./logger.ts";

/** Why something has failed. */
interface Failure {
  /** In our own words, with nothing of a visitor. */
  reason?: string | undefined;
  /** What was thrown. It is written where there is no reason. */
  err?: unknown;
  /** What else a line says of it. */
  [field: string]: unknown;
}

/** Something that fails again and again while it is away. The log tells of the outage, not of every failure. */
export interface Outage {
  /** Takes note of a failure, unless another outage has: then it is a failure of that. */
  failed(failure: Failure): void;
  /** Takes note that it works. */
  answered(): void;
}

interface OutageOptions {
  /** What the log says while it fails, and when it works again. */
  away: string;
  back: string;
  /** What every line says beside that. */
  fields?: object;
  /** How bad it is: an error is a fault of the service itself. */
  level?: "warn" | "error";
}

/** Shortest time between two lines that something fails. While it lasts, this doubles up to the longest. */
const shortestPause: Milliseconds = minute;
const longestPause: Milliseconds = hour;

/**
 * Creates what tells of an outage: one line when it begins, with the reason; reminders at growing pauses, with how often
 * it has failed and for how long; and one line when it is over. What fails and works by turns is one line a minute.
 */
export function createOutage(logger: Logger, { away, back, fields, level = "warn" }: OutageOptions): Outage {
  let since: Milliseconds | undefined;
  let failures = 0;
  let lines = 0;
  let saidAt = -Infinity;
  return {
    failed({ reason, err, ...more }) {
      if (isTold(err)) return;
      noteTold(err);
      const now = performance.now();
      since ??= now;
      failures += 1;
      if (now - saidAt < Math.min(shortestPause * 2 ** lines, longestPause)) return;
      saidAt = now;
      lines += 1;
      const why = reason === undefined ? { err } : { reason };
      const count = failures > 1 && { failures, lastedSeconds: secondsFrom(since) };
      logger[level]({ ...fields, ...why, ...more, ...count }, away);
    },
    answered() {
      if (since === undefined) return;
      // Failures that no line has told of yet are those of the next outage.
      if (lines > 0) {
        logger.info({ ...fields, failures, lastedSeconds: secondsFrom(since) }, back);
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
