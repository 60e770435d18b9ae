import { expect, it, onTestFinished, vi } from "vitest";
import { createProgress } from "../../../server/commands/progress.ts";

it("a command says that it is at work after two seconds, and then less and less often", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const progress = createProgress((line) => lines.push(line));
  vi.advanceTimersByTime(1_999);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(2_000);
  progress.report("12000 subscribers");
  vi.advanceTimersByTime(4_001);
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(lines).toEqual([
    "at work for 2 s\n",
    "at work for 4 s: 12000 subscribers\n",
    "at work for 8 s: 12000 subscribers\n",
  ]);
});
