import { type Milliseconds, minute, second } from "../../client/rules/time.ts";
import { buildCommit, builtTree, findLastRelease, resolveCommit } from "./build-commit.ts";
import { type ComparedFigure, compareFigure, highestRatio } from "./compare-figures.ts";
import {
  type Figures,
  figures,
  measureAnswers,
  measureCached,
  measureRendering,
  startKeeping,
} from "./measure-build.ts";
import { type Measure, printTable } from "./report.ts";
import { type Both, byTurns, type Side } from "./sides.ts";
import { stopServers } from "./start-server.ts";

/** On a busy machine a round takes longer. The quick form ends after the fewest rounds once its time is over. */
const rounds = { quick: { fewest: 3, most: 5 }, whole: { fewest: 7, most: 7 } };
const quickTime: Milliseconds = 48 * second;

export interface Comparison {
  /** The full name of the commit. */
  base: string;
  figures: ComparedFigure[];
}

/**
 * Compares the build of the working tree with that of a commit. They take turns in every round, so that other work on
 * the machine affects both.
 * @param ref - a commit, branch or tag
 * @param isQuick - whether to measure only cached and rendered footers, memory and start, which takes a minute once the
 * commit is built
 * @throws Error if the commit is unknown, can't be built, or answers differently
 */
export async function compareWith(ref: string, isQuick: boolean): Promise<Comparison> {
  const base = resolveCommit(ref);
  const builds = { base: buildCommit(base), now: builtTree() };
  const started = performance.now();
  const keeping = await startKeeping(builds);
  const { fewest, most } = isQuick ? rounds.quick : rounds.whole;
  const measured: Both<Figures>[] = [];
  const isTimeLeft = () => !isQuick || (performance.now() - started) * (1 + 1 / measured.length) < quickTime;
  while (measured.length < fewest || (measured.length < most && isTimeLeft())) {
    const first: Side = measured.length % 2 === 0 ? "base" : "now";
    const cached = await measureCached(keeping, first);
    const rendering = await measureRendering(builds, first, !isQuick);
    const answers = isQuick ? undefined : await byTurns(first, (side) => measureAnswers(keeping[0][side]));
    measured.push({
      base: { ...cached.base, ...rendering.base, ...answers?.base },
      now: { ...cached.now, ...rendering.now, ...answers?.now },
    });
  }
  stopServers();
  return { base, figures: compareRounds(measured) };
}

function compareRounds(measured: readonly Both<Figures>[]): ComparedFigure[] {
  const names = Object.keys(figures) as (keyof Figures)[];
  return names.flatMap((name) => {
    const base = measured.flatMap((round) => round.base[name] ?? []);
    const now = measured.flatMap((round) => round.now[name] ?? []);
    return base.length > 0 && now.length > 0 ? [compareFigure({ name, ...figures[name], base, now })] : [];
  });
}

/** Compares the working tree with the last release, as a part of the whole benchmark. */
export const lastRelease: Measure = {
  name: "release",
  duration: 4 * minute,
  async run() {
    return { figures: {}, table: tableOf(await compareWith(findLastRelease(), false), "last release") };
  },
};

/** Prints a comparison as a table. */
export function printComparison(comparison: Comparison): void {
  printTable(tableOf(comparison, comparison.base.slice(0, 8)));
}

function tableOf({ figures }: Comparison, base: string): string[][] {
  const format = (value: number) => (value >= 1000 ? value.toFixed(0) : value.toPrecision(3));
  return [
    ["", base, "now", "ratio", `over ${highestRatio}?`],
    ...figures.map(({ title, unit, base, now, ratio, isWorse }) => [
      `${title} (${unit})`,
      format(base),
      format(now),
      ratio.toFixed(2),
      isWorse ? "yes" : "no",
    ]),
  ];
}
