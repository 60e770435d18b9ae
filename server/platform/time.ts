import { type Milliseconds, type Moment, minute } from "../../client/rules/time.ts";

/** Tolerated clock skew between replicas. */
export const clockTolerance: Milliseconds = 5 * minute;

/** A period of validity in ISO 8601: from `validFrom` on, and before `validTo`. */
export interface Validity {
  validFrom?: string;
  validTo?: string;
}

/** The message for a time that can't be parsed. It follows the name of its field. */
export const timeRule = "must be an ISO 8601 time with an offset, such as 2026-12-24T18:00:00Z";

/** Parses an ISO 8601 date and time with Z or an offset; undefined if it is anything else. */
export function parseTime(time: string): Moment | undefined {
  try {
    return Temporal.Instant.from(time).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/**
 * Parses an ISO 8601 date with or without a time. Without an offset it is the time of a time zone, and a date alone is
 * its midnight.
 * @returns undefined when it is anything else, or a time that the zone's change of clocks skips or has twice
 */
export function parseTimeIn(timeZone: string, time: string): Moment | undefined {
  const exact = parseTime(time);
  if (exact !== undefined) return exact;
  try {
    return Temporal.PlainDateTime.from(time).toZonedDateTime(timeZone, { disambiguation: "reject" }).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** Formats a moment as the date and time of a time zone, such as `2026-12-24 18:00`. */
export function formatIn(timeZone: string, at: Moment): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDateTime();
  return local.toString({ smallestUnit: "minute" }).replace("T", " ");
}

/** Formats a moment as ISO 8601 in UTC. */
export function toIso(at: Moment): string {
  return new Date(at).toISOString();
}

/** Formats a moment as ISO 8601 in UTC; null stays null. */
export function toIsoOrNull(at: Moment | null): string | null {
  return at === null ? null : toIso(at);
}

/** Adds months of the calendar, in UTC; a negative number subtracts them. */
export function addMonths(at: Moment, months: number): Moment {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO("UTC").add({ months }).epochMilliseconds;
}

/** Converts a validity to moments: -Infinity without a start, Infinity without an end. */
export function periodOf({ validFrom, validTo }: Validity): { from: Moment; to: Moment } {
  return { from: momentOf(validFrom) ?? -Infinity, to: momentOf(validTo) ?? Infinity };
}

/** Whether something is valid at a moment. */
export function isValidAt(validity: Validity, at: Moment): boolean {
  const { from, to } = periodOf(validity);
  return from <= at && at < to;
}

/**
 * Finds every validity in nested data that ends before it starts.
 * @param path - the position of the data
 * @returns each fault as `/path message`
 */
export function findEndsBeforeStarts(data: unknown, path: string): string[] {
  if (typeof data !== "object" || data === null) return [];
  const children = Object.entries(data).flatMap(([field, child]) => findEndsBeforeStarts(child, `${path}/${field}`));
  const { from, to } = periodOf(data);
  return from < to ? children : [`${path}/validTo must be later than validFrom`, ...children];
}

function momentOf(time: string | undefined): Moment | undefined {
  return time === undefined ? undefined : parseTime(time);
}
