/** Writes a moment as people in a time zone read it, such as 24 Dec 2026, 18:00 CET. */
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
