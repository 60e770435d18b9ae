import type { Moment } from "../client/rules/time.ts";

/** What a caller is told of a time that can't be read, after the name of its field. */
export const timeRule = "must be an ISO 8601 time with an offset, such as 2026-12-24T18:00:00Z";

/** Reads an ISO 8601 date and time with Z or an offset; undefined when it is anything else. */
export function parseTime(time: string): Moment | undefined {
  try {
    return Temporal.Instant.from(time).epochMilliseconds;
  } catch {
    return undefined;
  }
}
