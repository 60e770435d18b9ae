import { vi } from "vitest";

export const minute = 60_000;

/** What counts as the visitor's. */
export const activity = ["touchstart", "keydown", "scroll", "click"];

/** What a tab listens for even when the session's upkeep has stopped. */
export const lifecycle = ["pagehide", "pageshow"];

/** The times of a token that wants to be renewed, relative to now, in seconds. */
export const due = { ren: -60, exp: 600 };

/** Stops timers and the time of day, until `vi.useRealTimers()`. */
export function startClock(): void {
  vi.useFakeTimers({ now: new Date("2026-05-04T10:00:00Z") });
}

/** Lets time pass, and everything happen that was to happen at once. */
export async function pass(milliseconds = 0): Promise<void> {
  await vi.advanceTimersByTimeAsync(milliseconds);
}
