import { hour, type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { isReported, markReported } from "./errors.ts";
import type { Logger } from "./logger.ts";

/** The reason for a failure. */
interface Failure {
  /** A reason in our own words, without personal data. */
  reason?: string | undefined;
  /** The error, which is logged if there is no reason. */
  err?: unknown;
  /** Code of the site for which it has failed; undefined if the calls aren't made site by site. */
  site?: string | undefined;
  /** Further fields of the log line. */
  [field: string]: unknown;
}

export type HealthLog = ReturnType<typeof createHealthLog>;

interface HealthLogOptions {
  /** Messages for an outage and for its recovery. */
  down: string;
  up: string;
  /** Fields of every line. */
  fields?: object;
  /** `error` if the service itself is at fault. */
  level?: "warn" | "error";
}

/** The shortest time between two failure lines. It doubles with each line of an outage, up to an hour. */
const shortestPause: Milliseconds = minute;
const longestPause: Milliseconds = hour;

/**
 * Creates the log of something that the service depends on. It logs one line when an outage begins, with the reason;
 * reminders at growing intervals, with the number of failures and the duration; and one line on recovery. Something
 * that flaps logs once a minute. If calls are made site by site, lines name the sites. An outage lasts until every
 * failed site has been answered. A site that fails later gets a line of its own, at most once a minute.
 */
export function createHealthLog(logger: Logger, { down, up, fields, level = "warn" }: HealthLogOptions) {
  let since: Milliseconds | undefined;
  let failures = 0;
  let lines = 0;
  let loggedAt = -Infinity;
  /** The sites that fail now, and all that have failed since the outage began. */
  const failing = new Set<string>();
  const affected = new Set<string>();
  return {
    /** Records a failure, unless another health log has reported the same error. */
    down({ reason, err, site, ...more }: Failure) {
      if (isReported(err)) return;
      markReported(err);
      const now = performance.now();
      since ??= now;
      failures += 1;
      const isOther = site !== undefined && !failing.has(site);
      if (site !== undefined) for (const sites of [failing, affected]) sites.add(site);
      const pause = isOther ? shortestPause : Math.min(shortestPause * 2 ** lines, longestPause);
      if (now - loggedAt < pause) return;
      loggedAt = now;
      lines += 1;
      const why = reason === undefined ? { err } : { reason };
      const count = failures > 1 && { failures, lastedSeconds: secondsFrom(since) };
      logger[level]({ ...fields, ...nameSites(failing), ...why, ...more, ...count }, down);
    },
    /**
     * Records a success.
     * @param site - the code of the site for which the dependency has answered
     */
    up(site?: string) {
      if (since === undefined) return;
      if (site !== undefined) failing.delete(site);
      if (failing.size > 0) return;
      // Failures that aren't logged yet count towards the next outage.
      if (lines > 0) {
        logger.info({ ...fields, ...nameSites(affected), failures, lastedSeconds: secondsFrom(since) }, up);
        affected.clear();
        failures = 0;
        lines = 0;
      }
      since = undefined;
    },
  };
}

function nameSites(named: ReadonlySet<string>): object {
  const [site, ...others] = named;
  if (site === undefined) return {};
  return others.length === 0 ? { site } : { sites: [site, ...others] };
}

function secondsFrom(moment: Milliseconds): number {
  return Math.round((performance.now() - moment) / second);
}
