/** Reads an ISO 8601 date and time with Z or an offset; undefined when it is anything else. */
export function parseTime(time: string): Date | undefined {
  try {
    return new Date(Temporal.Instant.from(time).epochMilliseconds);
  } catch {
    return undefined;
  }
}
