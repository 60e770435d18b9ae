import { describe, expect, it } from "vitest";
import { readZonedTime, writeZonedTime } from "../../../../client/features/preview/zoned-time.ts";

const berlin = "Europe/Berlin";
const istanbul = "Europe/Istanbul";

it.each([berlin, istanbul])("a moment in %s is written as it was entered", (timeZone) => {
  for (const date of ["2026-01-01", "2026-07-01", "2028-02-29", "9999-12-31"]) {
    for (const time of ["00:00", "12:34", "23:59"]) {
      const reading = readZonedTime(date, time, timeZone);
      expect(reading).toMatchObject({ time });
      expect(reading).not.toHaveProperty("irregular");
      expect(reading && writeZonedTime(reading.instant, timeZone)).toEqual({ date, time });
    }
  }
});

it.each([
  [berlin, "01:59", undefined],
  [berlin, "02:00", "skipped"],
  [berlin, "02:59", "skipped"],
  [berlin, "03:00", undefined],
  [istanbul, "02:30", undefined],
])("in %s on 28 March 2027, %s is %s", (timeZone, time, irregular) => {
  expect(readZonedTime("2027-03-28", time, timeZone)?.irregular).toBe(irregular);
});

describe("a time of day", () => {
  it.each([
    ["is left out stands for the one an hour later", "2027-03-28", "2027-03-28T01:30:00Z", "03:30", "skipped"],
    ["comes twice stands for its first", "2026-10-25", "2026-10-25T00:30:00Z", "02:30", "repeated"],
  ])("that %s", (_rule, date, instant, time, irregular) => {
    const reading = readZonedTime(date, "02:30", berlin);
    expect([String(reading?.instant), reading?.time, reading?.irregular]).toEqual([instant, time, irregular]);
  });

  it.each([
    ["01:59", "2026-10-24T23:59:00Z"],
    ["03:00", "2026-10-25T02:00:00Z"],
  ])("right before and after comes once: %s", (time, instant) => {
    const reading = readZonedTime("2026-10-25", time, berlin);
    expect([String(reading?.instant), reading?.irregular]).toEqual([instant, undefined]);
  });

  it("may be left empty: the day's start", () => {
    expect(String(readZonedTime("2026-12-24", "", berlin)?.instant)).toBe("2026-12-23T23:00:00Z");
  });

  it.each(["24:01", "6 pm", "18:60", "18:00Z"])("that is none makes the moment none: %s", (time) => {
    expect(readZonedTime("2026-12-24", time, berlin)).toBeUndefined();
  });
});

describe("a date", () => {
  it.each([
    "",
    "2026-02-30",
    "2027-02-29",
    "2026-13-01",
    "2026-00-10",
    "24.12.2026",
    "2026-12-24T18:00",
    "12026-12-24",
  ])("that is none makes the moment none: %j", (date) => {
    expect(readZonedTime(date, "18:00", berlin)).toBeUndefined();
  });
});

it("writes a moment as its time zone has it, to the minute", () => {
  const instant = Temporal.Instant.from("2026-12-31T22:30:59.999Z");
  expect(writeZonedTime(instant, berlin)).toEqual({ date: "2026-12-31", time: "23:30" });
  expect(writeZonedTime(instant, istanbul)).toEqual({ date: "2027-01-01", time: "01:30" });
});
