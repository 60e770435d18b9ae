import { ClientGoneError, RequestError, StartError, UnavailableError } from "./errors.ts";

/** What the log says of an error. */
interface ErrorSummary {
  type: string;
  message?: string | undefined;
  code?: unknown;
  /** Where it was thrown: the frames of its stack alone. */
  stack?: string | undefined;
  cause?: ErrorSummary | undefined;
}

/** The code of every error of SQLite, whose message alone says more. It names tables and columns, and no values. */
const ofSqlite = "ERR_SQLITE_ERROR";

/**
 * Tells what went wrong and where. Only errors of our own and SQLite's keep their message: those of PostgreSQL, of a
 * library or of the runtime may name whom a request was for (test/fuzz/canaries.ts).
 */
export function summarizeError(error: unknown): ErrorSummary {
  if (!(error instanceof Error)) return { type: typeof error };
  const code = "code" in error ? error.code : undefined;
  const frames = error.stack?.replace(error.message, "").match(/^ {4}at .+$/gm);
  return {
    type: error.name,
    message: isOurs(error) || code === ofSqlite ? error.message : undefined,
    code,
    stack: frames?.join("\n"),
    cause: error.cause === undefined ? undefined : summarizeError(error.cause),
  };
}

function isOurs(error: Error): boolean {
  return [ClientGoneError, RequestError, StartError, UnavailableError].some((own) => error instanceof own);
}
