/** The figures of all rounds: `median` is the figure, the others say how much it varies. */
export interface Summary {
  median: number;
  min: number;
  max: number;
}

/**
 * Summarizes the figures of all rounds.
 * @param values - one per round, at least one
 */
export function summarize(values: readonly number[]): Summary {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const last = sorted.length - 1;
  return { median: (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2, min: at(0), max: at(last) };
}

/** Summarizes the ratios of all rounds, so that a slow period of the machine affects both sides. */
export function summarizeRatio(values: readonly number[], baseline: readonly number[]): Summary {
  return summarize(values.map((value, round) => value / (baseline[round] ?? Number.NaN)));
}

/** Returns the value that a fraction of the values don't exceed: 0.5 is the median. */
export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
}
