import type { Milliseconds } from "../../client/rules/time.ts";
import type { Summary } from "./summarize.ts";

/** The goal of a figure. */
interface Goal {
  title: string;
  unit?: "s" | "ms" | "MB" | "bytes";
  atMost?: number;
  atLeast?: number;
}

/** Every figure of the benchmark with its goal, in the order of the table. Ratios are those of processor times. */
const goals = {
  footerToLogged: { title: "cached footer ÷ Express with constant bytes, its headers and log line", atMost: 1.1 },
  renderedToReact: { title: "rendered footer ÷ Express with React's stream of the whole tree", atMost: 0.2 },
  renderedToHono: { title: "rendered footer ÷ Hono with React's string of the whole tree", atMost: 0.42 },
  loginToConstant: { title: "first byte of the login page ÷ that of constant bytes", atMost: 2 },
  footersBesideSignUps: { title: "p99 of cached footers at 70 % load with sign-ups ÷ without", atMost: 3 },
  footerCompressed: { title: "footer, compressed", unit: "bytes", atMost: 5_120 },
  footerRaw: { title: "footer", unit: "bytes", atMost: 20_500 },
  stylesheet: { title: "stylesheets of the footer, compressed", unit: "bytes", atMost: 4_900 },
  script: { title: "scripts of the footer, compressed", unit: "bytes", atMost: 2_300 },
  countryStart: { title: "start of a further country, processor time", unit: "ms", atMost: 6 },
  countryMemory: { title: "memory of a further country", unit: "MB", atMost: 0.5 },
  countriesRaw: { title: "footer of 200 countries ÷ that of nine", atMost: 1.15 },
  countriesCompressed: { title: "the same, compressed", atMost: 1.15 },
  signUpCost: { title: "sign-up with its email, processor time", unit: "ms", atMost: 2 },
  signUpsSqlite: { title: "sign-ups per second ÷ bare durable inserts, SQLite", atLeast: 0.7 },
  signUpsPostgres: { title: "sign-ups per second ÷ bare durable inserts, PostgreSQL", atLeast: 0.5 },
  composedNginx: { title: "time to first byte that an include adds, nginx", unit: "ms", atMost: 1 },
  composedVarnish: { title: "time to first byte that an include adds, Varnish", unit: "ms", atMost: 1 },
  composedClient: { title: "time to first byte that an include adds, Node client", unit: "ms", atMost: 1 },
  memoryAtRest: { title: "memory at rest", unit: "MB", atMost: 125 },
  memoryGrowth: { title: "memory after rendered footers ÷ at rest", atMost: 1.25 },
  firstStart: { title: "built service, first start to ready, processor time", unit: "s", atMost: 0.5 },
  restart: { title: "built service, restart to ready, processor time", unit: "s", atMost: 0.5 },
  npmStart: { title: "npm start with nothing to build, processor time", unit: "s", atMost: 0.9 },
} satisfies Record<string, Goal>;

type FigureName = keyof typeof goals;

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
  /** The data from which the figures are computed. */
  table?: string[][];
}

export interface Result {
  /** `loadAverage` is that of the previous minute: how busy other programs kept the machine. */
  machine: { cpu: string; cores: number; node: string; loadAverage: number };
  /** ISO 8601. */
  at: string;
  figures: Partial<Record<FigureName, Summary & Goal & { met: boolean }>>;
  /** By the name of the part. */
  tables: Record<string, string[][]>;
  /** Names of parts that failed. */
  notMeasured: string[];
}

/** Compares the median of each figure with its goal. */
export function judgeFigures(figures: Measured["figures"]): Result["figures"] {
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
    const bound = atMost !== undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
    return [unit ? `${title} (${unit})` : title, bound, formatSummary(figure), met ? "yes" : "no"];
  });
  printTable([["figure", "goal", "measured", "met?"], ...rows]);
  if (notMeasured.length > 0) console.log(`not measured: ${notMeasured.join(", ")}`);
}

/** Prints a table: the first column aligned left, numbers right. */
export function printTable(rows: readonly string[][]): void {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const pad = (cell: string, column: number) => (column === 0 ? cell.padEnd(width(0)) : cell.padStart(width(column)));
  console.log(`\n${rows.map((row) => row.map(pad).join("   ")).join("\n")}\n`);
}

/** Formats a median with the range of the rounds, in three digits. */
export function formatSummary({ median, min, max }: Summary): string {
  const format = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
  return min === max ? format(median) : `${format(median)} (${format(min)} to ${format(max)})`;
}
