import { type DestinationStream, type Logger, pino } from "pino";
import { summarizeError } from "./summarize-error.ts";

export type { Logger };

/**
 * Creates the log: one JSON line per event on standard output. Of an error it says what tells nobody's data.
 * @param level - pino level below which nothing is written
 * @param destination - where the lines go instead, for tests
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const serializers = { err: summarizeError };
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers };
  return destination ? pino(options, destination) : pino(options);
}
