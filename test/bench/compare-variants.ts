import type { LoadFigures } from "./measure-load.ts";
import { type Summary, summarize, summarizeRatio } from "./summarize.ts";
import { type VariantName, variants } from "./variants.ts";

export type Rounds = Record<VariantName, LoadFigures[]>;

export type Ratios = Record<"requestsPerSecond" | "p50" | "p99" | "cpuTime", Summary>;

export interface Comparison extends Record<keyof LoadFigures, Summary> {
  name: VariantName;
  title: string;
  /** Ratios to the variant that is as fast as Express can be. */
  toConstant: Ratios;
  /** Ratios to the variant that is the slowest way to render. */
  toWhole: Ratios;
  rounds: LoadFigures[];
}

/** Compares every variant with both ends of the scale. */
export function compareVariants(rounds: Rounds): Comparison[] {
  return variants.map(({ name, title }) => {
    const values = (figure: keyof LoadFigures, of = name) => rounds[of].map((round) => round[figure]);
    const ratio = (figure: keyof LoadFigures, to: VariantName) => summarizeRatio(values(figure), values(figure, to));
    const ratios = (to: VariantName): Ratios => ({
      requestsPerSecond: ratio("requestsPerSecond", to),
      p50: ratio("p50", to),
      p99: ratio("p99", to),
      cpuTime: ratio("cpuTime", to),
    });
    return {
      name,
      title,
      requestsPerSecond: summarize(values("requestsPerSecond")),
      p50: summarize(values("p50")),
      p99: summarize(values("p99")),
      cpuTime: summarize(values("cpuTime")),
      loadUtilization: summarize(values("loadUtilization")),
      toConstant: ratios("constant"),
      toWhole: ratios("whole"),
      rounds: rounds[name],
    };
  });
}
