import { percentile, type Summary, summarize } from "./summarize.ts";

/** A figure of two builds that took turns. */
export interface Samples {
  /** The name for users of `--json`. */
  name: string;
  title: string;
  unit: string;
  /**
   * The statistic that counts. The minimum is the one that other work on the machine disturbs least. The median
   * includes the garbage collection that most rounds have.
   */
  counts: keyof Pick<Summary, "median" | "min">;
  /** One value per round. Rounds are equal. */
  base: readonly number[];
  now: readonly number[];
}

export interface ComparedFigure {
  name: string;
  title: string;
  unit: string;
  base: number;
  now: number;
  /** `now` ÷ `base`. */
  ratio: number;
  /** The ratio that three quarters of the rounds reach or exceed. */
  lowRatio: number;
  isWorse: boolean;
}

/** The highest acceptable ratio of a change. */
export const highestRatio = 1.05;

/** Compares a figure. It is worse if its ratio is too high, and is so in more rounds than chance explains. */
export function compareFigure({ name, title, unit, counts, ...rounds }: Samples): ComparedFigure {
  const [base, now] = [rounds.base, rounds.now].map((values) => summarize(values)[counts]) as [number, number];
  const ratio = now / base;
  const lowRatio = percentile(
    rounds.now.map((value, round) => value / (rounds.base[round] ?? Number.NaN)),
    0.25,
  );
  return { name, title, unit, base, now, ratio, lowRatio, isWorse: ratio > highestRatio && lowRatio > highestRatio };
}
