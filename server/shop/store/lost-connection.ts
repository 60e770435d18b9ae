import { second } from "../../../client/rules/time.ts";

/**
 * How PostgreSQL says that it ends, or takes nobody yet: https://www.postgresql.org/docs/current/errcodes-appendix.html
 * After a crash it says nothing of the kind.
 */
const leaving = ["57P01", "57P03"];
const unreachable = ["ECONNREFUSED", "ECONNRESET", "EPIPE"];

/**
 * What fails sooner is done again. It is shorter than it takes to find that the database doesn't answer, which it
 * wouldn't then either.
 */
export const doneAgainWithin = 1.5 * second;

/** Tells whether PostgreSQL hasn't done what it was asked for: it says that it leaves, or has never heard of it. */
export function wasRefused(error: unknown): boolean {
  return leaving.includes(codeOf(error)) || / not queryable$/.test(messageOf(error));
}

/** Tells whether there is no connection to the database, or none any more: as when it is restarted. */
export function isLostConnection(error: unknown): boolean {
  const isBroken = unreachable.includes(codeOf(error)) || /^Connection terminated/.test(messageOf(error));
  return isBroken || wasRefused(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}
