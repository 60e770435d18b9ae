/**
 * Measures how long a footer takes while visitors sign up and the disk is slow: 20 ms for each fsync, which a library
 * adds that is compiled with `cc` and put before the system's own. Rounds without and with sign-ups take turns.
 *
 *   node build.mjs && tsx test/bench/slow-disk.ts [folder of the build=.]
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { createVisitors, type Visitors } from "../faults/visitors.ts";
import { startProcess } from "../support/start-process.ts";
import { formatSummary, formatTable } from "./format-table.ts";
import { summarize, summarizeRatio } from "./summarize.ts";

const rounds = 5;
const roundTime: Milliseconds = 5 * second;
const fsyncTime: Milliseconds = 20;
/** How many a second. */
const footers = 200;
const signUps = 15;

/** What takes the place of the system's functions, and is as slow however fast the disk is. */
const slowDisk = `
  #define _GNU_SOURCE
  #include <dlfcn.h>
  #include <unistd.h>
  static int slowly(const char *name, int file) {
    usleep(${fsyncTime} * 1000);
    return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
  }
  int fsync(int file) { return slowly("fsync", file); }
  int fdatasync(int file) { return slowly("fdatasync", file); }
`;

const folder = mkdtempSync(join(tmpdir(), "slow-disk-"));
const library = join(folder, "slow-disk.so");
writeFileSync(join(folder, "slow-disk.c"), slowDisk);
execFileSync("cc", ["-shared", "-fPIC", "-o", library, join(folder, "slow-disk.c"), "-ldl"]);
const service = startProcess(
  { LD_PRELOAD: library, HOST: "127.0.0.1", DEMO: "off", TRUST_PROXY: "127.0.0.1", LOG_LEVEL: "info" },
  undefined,
  process.argv[2],
);
try {
  await measure(await service.port);
} finally {
  service.signal("SIGKILL");
  await service.ended;
  rmSync(folder, { recursive: true });
}

async function measure(port: number): Promise<void> {
  const visitors = createVisitors();
  const quiet: Milliseconds[] = [];
  const busy: Milliseconds[] = [];
  const answers: Milliseconds[] = [];
  await askFooters(port);
  for (let round = 0; round < rounds; round++) {
    quiet.push(median(await askFooters(port)));
    const [footerTimes, signUpTimes] = await Promise.all([askFooters(port), signUp(port, visitors)]);
    busy.push(median(footerTimes));
    answers.push(median(signUpTimes));
  }
  console.log(`${rounds} rounds; median of the rounds' p50 (range), in ms\n`);
  const rows = [
    ["footer", formatSummary(summarize(quiet))],
    [`footer while ${signUps} a second sign up`, formatSummary(summarize(busy))],
    ["ratio of the two", formatSummary(summarizeRatio(busy, quiet))],
    ["sign-up", formatSummary(summarize(answers))],
  ];
  console.log(formatTable(rows));
}

/** Asks for footers as often as they are asked for, however long they take. Returns the time of each. */
async function askFooters(port: number): Promise<Milliseconds[]> {
  const dispatcher = new Agent({ connections: 50 });
  const times = await repeat(footers, async () => {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/fragments/footer/DE`, { dispatcher });
    await body.dump();
    if (statusCode !== 200) throw new Error(`a footer was answered with ${statusCode}`);
  });
  await dispatcher.close();
  return times;
}

function signUp(port: number, visitors: Visitors): Promise<Milliseconds[]> {
  return repeat(signUps, () => visitors.signUp(port));
}

/** Does a work so often a second for the time of a round. Returns how long each took. */
async function repeat(perSecond: number, work: () => Promise<unknown>): Promise<Milliseconds[]> {
  const all = Array.from({ length: (perSecond * roundTime) / second }, async (_, index) => {
    await pause((index * second) / perSecond);
    const begun = performance.now();
    await work();
    return performance.now() - begun;
  });
  return Promise.all(all);
}

function median(times: readonly Milliseconds[]): Milliseconds {
  return summarize(times).median;
}
