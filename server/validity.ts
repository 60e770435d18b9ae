import { parseTime } from "./parse-time.ts";

/** When something is valid, in ISO 8601: from the first moment on, and not any more at the second. */
export interface Validity {
  validFrom?: string;
  validTo?: string;
}

/** The same in milliseconds since the epoch. */
export function periodOf({ validFrom, validTo }: Validity): { from: number; to: number } {
  return { from: momentOf(validFrom) ?? -Infinity, to: momentOf(validTo) ?? Infinity };
}

/** @param at - milliseconds since the epoch */
export function isValidAt(validity: Validity, at: number): boolean {
  const { from, to } = periodOf(validity);
  return from <= at && at < to;
}

/** Finds a validity that ends before it has begun: the fault as `/path message`. */
export function findEndBeforeStart(validity: Validity, path: string): string[] {
  const { from, to } = periodOf(validity);
  return from < to ? [] : [`${path}/validTo must be later than validFrom`];
}

/** The same for everything that data holds, whatever that is. */
export function findEndsBeforeStarts(data: unknown, path: string): string[] {
  if (typeof data !== "object" || data === null) return [];
  const children = Object.entries(data).flatMap(([field, child]) => findEndsBeforeStarts(child, `${path}/${field}`));
  return [...findEndBeforeStart(data, path), ...children];
}

function momentOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : parseTime(time)?.getTime();
}
