import type { Moment } from "../client/rules/time.ts";
import { parseTime } from "./parse-time.ts";

/** When something is valid, in ISO 8601: from the first moment on, and not any more at the second. */
export interface Validity {
  validFrom?: string;
  validTo?: string;
}

/** Gives a validity as moments: infinitely early without a beginning, infinitely late without an end. */
export function periodOf({ validFrom, validTo }: Validity): { from: Moment; to: Moment } {
  return { from: momentOf(validFrom) ?? -Infinity, to: momentOf(validTo) ?? Infinity };
}

/** Tells whether something is valid at a moment. */
export function isValidAt(validity: Validity, at: Moment): boolean {
  const { from, to } = periodOf(validity);
  return from <= at && at < to;
}

/**
 * Finds out whether a validity ends before it has begun.
 * @param path - where the validity stands in its data
 * @returns the fault as `/path message`, or nothing
 */
export function findEndBeforeStart(validity: Validity, path: string): string[] {
  const { from, to } = periodOf(validity);
  return from < to ? [] : [`${path}/validTo must be later than validFrom`];
}

/**
 * Finds every validity within any data that ends before it has begun.
 * @param path - where the data stand
 * @returns each fault as `/path message`
 */
export function findEndsBeforeStarts(data: unknown, path: string): string[] {
  if (typeof data !== "object" || data === null) return [];
  const children = Object.entries(data).flatMap(([field, child]) => findEndsBeforeStarts(child, `${path}/${field}`));
  return [...findEndBeforeStart(data, path), ...children];
}

function momentOf(time: string | undefined): Moment | undefined {
  return time === undefined ? undefined : parseTime(time);
}
