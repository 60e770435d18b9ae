/**
 * Reads a date and a time of day. A time that the clocks skip stands for the one that is later by as much as they go
 * forward; a time that comes twice stands for its first occurrence
 * (https://tc39.es/proposal-temporal/docs/timezone.html#ambiguity).
 * @param date - `YYYY-MM-DD`
 * @param time - `HH:MM`; empty stands for the start of the day
 * @param timeZone - name of the IANA database
 * @returns undefined when the date doesn't exist
 */
export function readZonedTime(date: string, time: string, timeZone: string): Temporal.Instant | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  try {
    return Temporal.PlainDateTime.from(`${date}T${time || "00:00"}`)
      .toZonedDateTime(timeZone)
      .toInstant();
  } catch {
    return undefined;
  }
}

/** Gives the values of a date input and a time input for a moment. */
export function writeZonedTime(instant: Temporal.Instant, timeZone: string): { date: string; time: string } {
  const zoned = instant.toZonedDateTimeISO(timeZone);
  const time = zoned.toPlainTime().toString({ smallestUnit: "minute" });
  return { date: zoned.toPlainDate().toString(), time };
}

/** Formats a moment in a time zone, such as 24 Dec 2026, 18:00 CET. */
export function describeTime(instant: Temporal.Instant, timeZone: string): string {
  return instant.toLocaleString("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
}
