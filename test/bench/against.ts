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
import { stopServers } from "./start-server.ts";

const sides = ["base", "now"] as const;
type Round = Record<(typeof sides)[number], Figures>;

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
  const keeping = { base: await startKeeping(builds.base), now: await startKeeping(builds.now) };
  const measure = async (side: keyof Round): Promise<Figures> => ({
    ...(await measureCached(keeping[side])),
    ...(await measureRendering(builds[side], !isQuick)),
    ...(!isQuick && (await measureAnswers(keeping[side]))),
  });
  const { fewest, most } = isQuick ? rounds.quick : rounds.whole;
  const measured: Round[] = [];
  const isTimeLeft = () => !isQuick || (performance.now() - started) * (1 + 1 / measured.length) < quickTime;
  while (measured.length < fewest || (measured.length < most && isTimeLeft()))
    measured.push(measured.length % 2 === 0 ? await baseFirst(measure) : await nowFirst(measure));
  stopServers();
  return { base, figures: compareRounds(measured) };
}

type MeasureSide = (side: keyof Round) => Promise<Figures>;

async function baseFirst(measure: MeasureSide): Promise<Round> {
  const base = await measure("base");
  return { base, now: await measure("now") };
}

async function nowFirst(measure: MeasureSide): Promise<Round> {
  const now = await measure("now");
  return { base: await measure("base"), now };
}

function compareRounds(measured: readonly Round[]): ComparedFigure[] {
  const names = Object.keys(figures) as (keyof Figures)[];
  return names.flatMap((name) => {
    const [base, now] = sides.map((side) => measured.flatMap((round) => round[side][name] ?? []));
    return base?.length && now?.length ? [compareFigure({ name, ...figures[name], base, now })] : [];
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
