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

/**
 * Tells what went wrong and where. Only errors of our own keep their message: those of the database, of a library or of
 * the runtime may name whom a request was for (test/fuzz/canaries.ts).
 */
export function summarizeError(error: unknown): ErrorSummary {
  if (!(error instanceof Error)) return { type: typeof error };
  const frames = error.stack?.replace(error.message, "").match(/^ {4}at .+$/gm);
  return {
    type: error.name,
    message: isOurs(error) ? error.message : undefined,
    code: "code" in error ? error.code : undefined,
    stack: frames?.join("\n"),
    cause: error.cause === undefined ? undefined : summarizeError(error.cause),
  };
}

function isOurs(error: Error): boolean {
  return [ClientGoneError, RequestError, StartError, UnavailableError].some((own) => error instanceof own);
}
