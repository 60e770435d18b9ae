import { formatSummary, formatTable } from "./format-table.ts";
import { type FigureName, type Goal, goals } from "./goals.ts";
import type { Summary } from "./summarize.ts";

export interface Result {
  /** `loadAverage` is that of the minute before: what else the machine had to do. */
  machine: { cpu: string; cores: number; node: string; loadAverage: number };
  /** When it was measured, in ISO 8601. */
  at: string;
  figures: Partial<Record<FigureName, Summary & Goal & { met: boolean }>>;
  /** What the figures are made of, by the part of the benchmark. */
  tables: Record<string, string[][]>;
  /** Parts that failed. */
  notMeasured: string[];
}

/** Says of each figure what it should be, and whether it is: by its median. */
export function judge(figures: Partial<Record<FigureName, Summary>>): Result["figures"] {
  const names = (Object.keys(goals) as FigureName[]).filter((name) => figures[name]);
  return Object.fromEntries(
    names.flatMap((name) => {
      const goal: Goal = goals[name];
      const figure = figures[name];
      if (!figure) return [];
      const { atLeast = -Infinity, atMost = Infinity } = goal;
      return [[name, { ...goal, ...figure, met: figure.median >= atLeast && figure.median <= atMost }]];
    }),
  );
}

/** Prints every figure beside its goal: medians with the range of the rounds. */
export function printResult({ machine, figures, notMeasured }: Result): void {
  const { cpu, cores, node, loadAverage } = machine;
  console.log(`\n${cpu}, ${cores} cores, Node ${node}, load average before ${loadAverage.toFixed(1)}`);
  const rows = Object.values(figures).map(({ title, unit, atMost, atLeast, met, ...figure }) => {
    const bound = atMost !== undefined ? `≤ ${atMost}` : atLeast !== undefined ? `≥ ${atLeast}` : "";
    return [unit ? `${title} (${unit})` : title, bound, formatSummary(figure), bound && (met ? "yes" : "no")];
  });
  printTable([["figure", "goal", "measured", "met?"], ...rows]);
  if (notMeasured.length > 0) console.log(`not measured: ${notMeasured.join(", ")}`);
}

/** Prints a table below what was printed before. */
export function printTable(rows: readonly string[][]): void {
  console.log(`\n${formatTable(rows)}\n`);
}
