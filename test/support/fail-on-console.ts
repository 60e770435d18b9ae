import { afterEach, beforeEach, expect, vi } from "vitest";

/** A test fails when anything writes a warning or an error to the console: React does so for every misuse. */
beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  const said = [...vi.mocked(console.error).mock.calls, ...vi.mocked(console.warn).mock.calls];
  vi.restoreAllMocks();
  expect(said).toEqual([]);
});
