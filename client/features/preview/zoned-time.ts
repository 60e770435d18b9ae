/** A date and a time of day, resolved in a time zone. */
export interface ZonedReading {
  instant: Temporal.Instant;
  /** Set if a clock change skips or repeats the requested time of day. */
  irregular?: "skipped" | "repeated";
  /** The moment's time of day, as `HH:MM`. */
  time: string;
}

/**
 * Reads a date and a time of day. A skipped time is moved later by the length of the gap. A repeated time means its
 * first occurrence (https://tc39.es/proposal-temporal/docs/timezone.html#ambiguity).
 * @param date - `YYYY-MM-DD`
 * @param time - `HH:MM`; empty for the start of the day
 * @param timeZone - a name in the IANA database
 * @returns undefined if the date doesn't exist
 */
export function readZonedTime(date: string, time: string, timeZone: string): ZonedReading | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined;
  const wanted = parse(`${date}T${time || "00:00"}`);
  if (!wanted) return undefined;
  const zoned = wanted.toZonedDateTime(timeZone);
  const reading = { instant: zoned.toInstant(), time: timeOf(zoned) };
  if (!zoned.toPlainDateTime().equals(wanted)) return { ...reading, irregular: "skipped" };
  const last = wanted.toZonedDateTime(timeZone, { disambiguation: "later" });
  return last.equals(zoned) ? reading : { ...reading, irregular: "repeated" };
}

/** Converts a moment into the values of a date input and a time input. */
export function writeZonedTime(instant: Temporal.Instant, timeZone: string): { date: string; time: string } {
  const zoned = instant.toZonedDateTimeISO(timeZone);
  return { date: zoned.toPlainDate().toString(), time: timeOf(zoned) };
}

function parse(text: string): Temporal.PlainDateTime | undefined {
  try {
    return Temporal.PlainDateTime.from(text);
  } catch {
    return undefined;
  }
}

function timeOf(zoned: Temporal.ZonedDateTime): string {
  return zoned.toPlainTime().toString({ smallestUnit: "minute" });
}

/** Formats a moment in a time zone, such as "24 Dec 2026, 18:00 CET". */
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
