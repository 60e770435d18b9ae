import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPause } from "../../../client/session/pause.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** @returns how long a pause lasts, in seconds */
function lengthOf(pause: { over(): boolean }): number {
  const start = performance.now();
  while (!pause.over()) vi.advanceTimersByTime(1000);
  return (performance.now() - start) / 1000;
}

describe("the pause", () => {
  it("is over before anything has failed", () => {
    expect(createPause().over()).toBe(true);
  });

  it.each([
    [0, [15, 30, 60, 120, 240, 450, 450]],
    [1, [30, 60, 120, 240, 480, 900, 900]],
  ])("doubles up to a quarter of an hour, less up to a half by chance (%d)", (chance, lengths) => {
    vi.spyOn(Math, "random").mockReturnValue(chance);
    const pause = createPause();
    const lasted = lengths.map(() => {
      pause.grow();
      return lengthOf(pause);
    });
    expect(lasted).toEqual(lengths);
  });

  it("is short again after its end", () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const pause = createPause();
    for (let count = 0; count < 4; count += 1) pause.grow();
    pause.end();
    expect(pause.over()).toBe(true);
    pause.grow();
    expect(lengthOf(pause)).toBe(30);
  });

  it("doesn't mind that the clock is set back", () => {
    const pause = createPause();
    pause.grow();
    vi.setSystemTime(Date.now() - 86_400_000);
    expect(lengthOf(pause)).toBeLessThanOrEqual(30);
  });
});
