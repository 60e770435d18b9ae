import { second } from "../../../client/rules/time.ts";

/** How PostgreSQL says that it ends, or doesn't take anybody yet: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const leaving = ["57P01", "57P02", "57P03"];
const unreachable = ["ECONNREFUSED", "ECONNRESET", "EPIPE"];

/**
 * What fails sooner is done again. It is shorter than it takes to find that the database doesn't answer, which it
 * wouldn't then either.
 */
export const doneAgainWithin = 1.5 * second;

/** Tells whether PostgreSQL says that it leaves: it hasn't done then what it was asked for. */
export function wasRefused(error: unknown): boolean {
  return leaving.includes(codeOf(error));
}

/** Tells whether there is no connection to the database, or none any more: as when it is restarted. */
export function isLostConnection(error: unknown): boolean {
  const isTerminated = error instanceof Error && /^Connection terminated/.test(error.message);
  return isTerminated || [...leaving, ...unreachable].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
