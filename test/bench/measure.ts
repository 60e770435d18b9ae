import type { Milliseconds } from "../../client/rules/time.ts";
import type { FigureName } from "./goals.ts";
import type { Summary } from "./summarize.ts";

/** A part of the benchmark, which measures one figure or some that belong together. */
export interface Measure {
  /** As in `npm run bench -- footer`. */
  name: string;
  /** About how long it takes. */
  duration: Milliseconds;
  run(): Promise<Measured>;
}

export interface Measured {
  figures: Partial<Record<FigureName, Summary>>;
  /** What the figures are made of. */
  table?: string[][];
}
