import { type DestinationStream, type Logger, pino } from "pino";

export type { Logger };

/**
 * Creates the log: one JSON line per event on standard output.
 * @param level - pino level below which nothing is written
 * @param destination - where the lines go instead, for tests
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return destination ? pino(options, destination) : pino(options);
}
