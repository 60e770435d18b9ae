import { expect, it } from "vitest";
import { readZonedTime, writeZonedTime } from "../../../../client/features/preview/zoned-time.ts";

const berlin = "Europe/Berlin";
const istanbul = "Europe/Istanbul";

it.each([berlin, istanbul])("a moment in %s is written as it was entered", (timeZone) => {
  for (const date of ["2026-01-01", "2026-07-01", "2028-02-29", "9999-12-31"]) {
    for (const time of ["00:00", "12:34", "23:59"]) {
      const reading = readZonedTime(date, time, timeZone);
      expect(reading).not.toHaveProperty("irregular");
      expect(reading && writeZonedTime(reading.instant, timeZone)).toEqual({ date, time });
    }
  }
});

it.each([
  ["2027-03-28", "02:30", "2027-03-28T01:30:00Z", "is skipped: the one an hour later", "skipped"],
  ["2026-10-25", "02:30", "2026-10-25T00:30:00Z", "comes twice: its first", "repeated"],
  ["2026-12-24", "", "2026-12-23T23:00:00Z", "is left empty: the day's start", undefined],
])("a time of day, %s %j, is %s where it %s", (date, time, instant, _rule, irregular) => {
  const reading = readZonedTime(date, time, berlin);
  expect([String(reading?.instant), reading?.irregular]).toEqual([instant, irregular]);
});

it.each([
  ...[["2026-12-24", "24:01"] as const, ["2026-12-24", "6 pm"] as const, ["2026-12-24", "18:00Z"] as const],
  ...["", "2026-02-30", "24.12.2026", "2026-12-24T18:00", "12026-12-24"].map((date) => [date, "18:00"] as const),
])("what is no date or no time makes the moment none: %j %j", (date, time) => {
  expect(readZonedTime(date, time, berlin)).toBeUndefined();
});
