/** Measures how fast the footer is, and what makes it so: see variants.ts. Run by `npm run bench`. */
import { writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg } from "node:os";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { buildVariants } from "./build-variants.ts";
import { checkAnswers } from "./check-answers.ts";
import { compareVariants, type Rounds } from "./compare-variants.ts";
import { measureLoad } from "./measure-load.ts";
import { measureRender } from "./measure-render.ts";
import { printResult, type Result } from "./print-result.ts";
import { settings } from "./settings.ts";
import { type RunningServer, startServer } from "./start-server.ts";
import { variants } from "./variants.ts";

const resultFile = "test/bench/result.json";
/** Longest time for everything. */
const limit: Milliseconds = 115 * second;

// The servers end when this process exits, so whatever ends it has to be an exit.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
setTimeout(() => {
  console.error(`not done within ${limit / second} s`);
  process.exit(1);
}, limit).unref();

const result = await measure();
await writeFile(resultFile, `${JSON.stringify(result, null, 2)}\n`);
printResult(result);
process.exit();

async function measure(): Promise<Result> {
  console.log("measuring for about 90 s");
  const machine = {
    cpu: cpus()[0]?.model ?? "unknown processor",
    cores: availableParallelism(),
    node: process.version,
    loadAverage: loadavg()[0] ?? 0,
  };
  await buildVariants();
  const render = await measureRender();

  const servers: RunningServer[] = [];
  for (const variant of variants) servers.push(await startServer(variant, servers[0]?.url));
  const bytes = await checkAnswers(servers);
  const load = compareVariants(await measureRounds(servers));
  await checkAnswers(servers);

  return { machine, settings: { ...settings, bytes }, load, render };
}

/** Measures round by round. Each visits every server, so that a slow moment of the machine hits all of them alike. */
async function measureRounds(servers: RunningServer[]): Promise<Rounds> {
  const { warmUpSeconds, rounds: count, roundSeconds } = settings;
  for (const server of servers) await measureLoad(server, warmUpSeconds);

  const rounds: Rounds = { cache: [], parts: [], whole: [], constant: [] };
  for (let round = 0; round < count; round++) {
    for (const server of servers) rounds[server.variant.name].push(await measureLoad(server, roundSeconds));
  }
  return rounds;
}
