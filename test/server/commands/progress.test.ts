import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createProgress } from "../../../server/commands/progress.ts";

it("a command announces a copy that keeps it from saying more, if the file is large", async () => {
  const folder = await mkdtemp(join(tmpdir(), "progress-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [small, large] = [join(folder, "small"), join(folder, "large")];
  await writeFile(small, "");
  await writeFile(large, "");
  await truncate(large, 812_000_000);
  const lines: string[] = [];
  const progress = createProgress((line) => lines.push(line));
  for (const file of [small, large, join(folder, "none")]) progress.announceCopy(file);
  progress.end();
  expect(lines).toEqual(["copying 812 MB\n"]);
});

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
