/**
 * Measures how fast the service is, beside what others write, and whether it meets its goals: report.ts.
 *
 *   npm run bench                     everything; the result is written to test/bench/results
 *   npm run bench -- footer memory    some parts; no result is written
 *   npm run bench -- against main     this working tree beside a commit; fails if a figure is worse
 *   npm run bench -- against          the same beside the last release
 *
 * Beside a commit, --quick measures four figures within a minute, and --json prints nothing but JSON.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type Milliseconds, minute } from "../../client/rules/time.ts";
import { compareWith, lastRelease, printComparison } from "./against.ts";
import { answerCosts } from "./answer-costs.ts";
import { findLastRelease } from "./build-commit.ts";
import { composedPages } from "./composed-pages.ts";
import { firstByte } from "./first-byte.ts";
import { footerLoad } from "./footer-load.ts";
import { manyCountries } from "./many-countries.ts";
import { memory } from "./memory.ts";
import { mixedLoad } from "./mixed-load.ts";
import { judgeFigures, type Measured, printResult, printTable, type Result } from "./report.ts";
import { sentBytes } from "./sent-bytes.ts";
import { signUpRate } from "./sign-up-rate.ts";
import { stopServers } from "./start-server.ts";
import { startTime } from "./start-time.ts";

const ofAnswers = [footerLoad, firstByte, answerCosts, mixedLoad, composedPages, sentBytes];
const ofProcess = [memory, startTime, manyCountries, signUpRate];
const parts = [...ofAnswers, ...ofProcess, lastRelease];
const folder = "test/bench/results";
/** The maximum time for everything. */
const limit: Milliseconds = 20 * minute;

const options = { json: { type: "boolean", default: false }, quick: { type: "boolean", default: false } } as const;
const { positionals: names, values } = parseArgs({ options, allowPositionals: true });

// The servers end with this process, so whatever ends the process must do so by an exit.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
setTimeout(() => {
  console.error(`not done within ${limit / minute} min`);
  process.exit(1);
}, limit).unref();

const [first, ref] = names;
if (first === "against" && names.length <= 2) await compare(ref ?? findLastRelease());
else await measureParts();

/** Compares the working tree with a commit. Exits with 1 if a figure is worse, or couldn't be measured. */
async function compare(ref: string): Promise<never> {
  try {
    const comparison = await compareWith(ref, values.quick);
    if (values.json) console.log(JSON.stringify(comparison));
    else printComparison(comparison);
    process.exit(comparison.figures.some(({ isWorse }) => isWorse) ? 1 : 0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

/** Measures the named parts, or all. Exits with 1 if one couldn't be measured. */
async function measureParts(): Promise<never> {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = [...parts.map(({ name }) => name), "against [git ref]"].join(", ");
    console.error(`no ${unknown.join(", ")}: there are ${known}`);
    process.exit(1);
  }
  const result = await measure();
  printResult(result);
  if (names.length === 0) await writeResult(result);
  process.exit(result.notMeasured.length > 0 ? 1 : 0);
}

async function measure(): Promise<Result> {
  const asked = names.length > 0 ? parts.filter(({ name }) => names.includes(name)) : parts;
  const duration = asked.reduce((sum, part) => sum + part.duration, 0);
  console.log(`measuring for about ${Math.ceil(duration / minute)} min, ${limit / minute} min at most`);
  const machine = {
    cpu: cpus()[0]?.model ?? "unknown processor",
    cores: availableParallelism(),
    node: process.version,
    loadAverage: loadavg()[0] ?? 0,
  };
  const measured: [name: string, Measured][] = [];
  const notMeasured: string[] = [];
  for (const { name, run } of asked) {
    console.log(name);
    // The other parts run even if one fails.
    try {
      const part = await run();
      measured.push([name, part]);
      if (part.table) printTable(part.table);
    } catch (error) {
      notMeasured.push(name);
      console.error(error);
    } finally {
      stopServers();
    }
  }
  return {
    machine,
    at: new Date().toISOString(),
    figures: judgeFigures(Object.assign({}, ...measured.map(([, { figures }]) => figures))),
    tables: Object.fromEntries(measured.flatMap(([name, { table }]) => (table ? [[name, table]] : []))),
    notMeasured,
  };
}

/** Writes a result to a file named after its day and its machine, to be committed if it is worth comparing with. */
async function writeResult({ machine, at, ...result }: Result): Promise<void> {
  const words = `${machine.cpu} ${machine.cores} cores`.replace(/\((R|TM)\)/g, "").match(/\w+/g) ?? [];
  const name = words.join("-").toLowerCase();
  const file = `${folder}/${at.slice(0, 10)}-${name}.json`;
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${JSON.stringify({ at, machine, ...result }, null, 2)}\n`);
  console.log(`\nwritten to ${file}`);
}
