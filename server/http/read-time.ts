import { BadRequestError } from "../errors.ts";
import { parseTime } from "../parse-time.ts";

/**
 * Reads a time of a query.
 * @param field - its name there
 * @throws BadRequestError naming the field when it isn't a date and time with Z or an offset
 */
export function readTime(field: string, time: unknown): Date {
  // The plus of an offset stands for a space where a caller forgot to encode it.
  const read = parseTime(String(time).replace(" ", "+"));
  if (read) return read;
  throw new BadRequestError(`${field} is wrong`, [
    { field, message: "must be an ISO 8601 time with an offset, such as 2026-12-24T18:00:00Z" },
  ]);
}
