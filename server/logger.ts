import { type DestinationStream, type Logger, pino } from "pino";
import { summarizeError } from "./summarize-error.ts";
import { currentWork } from "./tracing/work.ts";

export type { Logger };

interface LogOptions {
  /** The pino level below which nothing is written. */
  level: string;
  /** Name of the service in each line; undefined names none. */
  service?: string | undefined;
}

/**
 * Creates the log: one JSON line per event on standard output. A line that is written for a request or a job has its
 * ids. Of an error it says what tells nobody's data.
 * @param destination - where the lines go instead, for tests
 */
export function createLogger({ level, service }: LogOptions, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: service === undefined ? null : { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: summarizeError },
    mixin: idsOfWork,
    mixinMergeStrategy: addIds,
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Gives the ids of the work for which a line is written; the line itself where it has them already. */
function idsOfWork(line: object): object {
  if ("requestId" in line) return line;
  const work = currentWork();
  return work ? { requestId: work.requestId, traceId: work.trace?.traceId } : line;
}

function addIds(line: object, ids: object): object {
  return ids === line ? line : { ...ids, ...line };
}
