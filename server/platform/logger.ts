import { type DestinationStream, type Logger, pino } from "pino";
import type { Milliseconds } from "../../client/rules/time.ts";
import { ClientGoneError, RequestError, StartError, UnavailableError } from "./errors.ts";
import { requestContext, traceIdOf } from "./request-context.ts";

export type { Logger };

interface LogOptions {
  /** The pino level below which nothing is written. */
  level: string;
  /** Name of the service in each line; undefined names none. */
  service?: string | undefined;
}

/**
 * Opens the log of a process.
 * @param production - whether lines are JSON even on a terminal
 * @returns a log for people on a terminal, otherwise one of JSON lines
 */
export async function openLog(options: LogOptions, production: boolean, output: "stdout" | "stderr"): Promise<Logger> {
  if (production || !process[output].isTTY)
    return createLogger(options, output === "stderr" ? process.stderr : undefined);
  // Loaded only here, so that no other process pays for it.
  const { createTerminalLog } = await import("./terminal-log.ts");
  return createTerminalLog(options.level, process[output]);
}

/**
 * Creates the log: one JSON line per event on standard output. Lines logged for a request or a job carry its ids.
 * Errors are logged without personal data, and requests without their URL.
 * @param destination - where the lines go instead of standard output
 */
export function createLogger({ level, service }: LogOptions, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: service === undefined ? null : { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: summarizeError, req: () => undefined },
    mixin: idsFor,
  };
  return pino(options, destination ?? writeTogether());
}

/** How long a line waits for others. */
const longestWait: Milliseconds = 10;
/** The length of lines that are written together, in characters: as much as pino itself writes at once. */
const longestWrite = 16_384;

/**
 * Opens standard output. Lines wait for a moment, so that many are written at once: each write is a call of the system
 * in another thread, which costs a fifth of a cached footer. pino's own `periodicFlush` would wake an idle process 100
 * times a second. The lines that wait are written when the process exits.
 */
function writeTogether(): DestinationStream {
  const output = pino.destination();
  let lines = "";
  let isScheduled = false;
  const writeLines = () => {
    isScheduled = false;
    if (lines !== "") output.write(lines);
    lines = "";
  };
  // Before the output's own listener, which writes what it has.
  process.prependListener("exit", writeLines);
  return {
    write(line) {
      if (lines.length + line.length > longestWrite) writeLines();
      lines += line;
      if (!isScheduled) setTimeout(writeLines, longestWait);
      isScheduled = true;
    },
  };
}

/** Returns the ids of the current request or job; the line itself if it already has them. */
function idsFor(line: object): object {
  if ("requestId" in line) return line;
  const current = requestContext.getStore();
  return current ? { requestId: current.requestId, traceId: traceIdOf(current.trace) } : line;
}

interface ErrorSummary {
  type: string;
  message?: string | undefined;
  code?: unknown;
  /** The stack frames, without the message. */
  stack?: string | undefined;
  cause?: ErrorSummary | undefined;
}

/** The code of every SQLite error. Only the message says more. It names tables and columns, never values. */
const sqliteError = "ERR_SQLITE_ERROR";

const ownErrors = [ClientGoneError, RequestError, StartError, UnavailableError];

/**
 * Summarizes an error for the log. Only our own errors and SQLite's keep their message. Those of PostgreSQL, a library
 * or the runtime may contain personal data.
 */
function summarizeError(error: unknown): ErrorSummary {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = "code" in error ? error.code : undefined;
  const hasMessage = code === sqliteError || ownErrors.some((own) => error instanceof own);
  const frames = error.stack?.replace(error.message, "").match(/^ {4}at .+$/gm);
  return {
    type: error.name,
    message: hasMessage ? error.message : undefined,
    code,
    stack: frames?.join("\n"),
    cause: error.cause === undefined ? undefined : summarizeError(error.cause),
  };
}
