import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { second } from "../../client/rules/time.ts";
import { type Summary, summarize, summarizeRatio } from "./summarize.ts";

/** What is timed without HTTP, with its title in the result. */
export const renderTitles = {
  stream: "whole tree in one stream",
  whole: "whole tree, its static parts as a string first",
  parts: "static parts kept",
  props: "props alone, nothing rendered",
};

export type RenderSubject = keyof typeof renderTitles;

export interface RenderComparison {
  subject: RenderSubject;
  /** Time per render. */
  microseconds: Summary;
  /** Ratio to the whole tree, as the service of the benchmark renders it. */
  toWhole: Summary;
  /** Time per render in each round, in microseconds. */
  rounds: number[];
}

/** Times the render alone, in a process of its own. */
export async function measureRender(): Promise<RenderComparison[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["dist/bench/render-time.js"], {
    env: { NODE_ENV: "production" },
    timeout: 30 * second,
    killSignal: "SIGKILL",
  });
  const times: Record<RenderSubject, number[]> = JSON.parse(stdout);
  return (Object.keys(renderTitles) as RenderSubject[]).map((subject) => ({
    subject,
    microseconds: summarize(times[subject]),
    toWhole: summarizeRatio(times[subject], times.whole),
    rounds: times[subject],
  }));
}
