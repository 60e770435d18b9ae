import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { findSites } from "../../server/sites/countries.ts";
import { formatSummary } from "./format-table.ts";
import type { Measure, Measured } from "./measure.ts";
import { measureLoad } from "./measure-load.ts";
import { service, startServer, stopServers } from "./start-server.ts";
import { start } from "./start-time.ts";
import { summarize } from "./summarize.ts";

const rounds = 5;
const roundTime = 3 * second;
const warmUp = 2 * second;
const many = 200;
const sources = [
  "client",
  "countries",
  "locales",
  "schemas",
  "server",
  "brand.json",
  "build.mjs",
  "deploy",
  "package.json",
  "package-lock.json",
];
const fragments = ["footer", "newsletter"] as const;

type Fragment = (typeof fragments)[number];

/** A figure with the countries there are, and with many. */
interface Pair {
  few: number;
  more: number;
}

/**
 * Measures what many countries cost the others: requests for all sites in turn, beside the same with those there are.
 * A footer names every country, the newsletter block none.
 */
export const manyCountries: Measure = {
  name: "countries",
  duration: 110 * second,
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "countries-"));
    try {
      await buildWithMany(folder);
      return await measure(folder);
    } finally {
      stopServers();
      await rm(folder, { recursive: true });
    }
  },
};

async function measure(cwd: string): Promise<Measured> {
  const env = { DEMO: "off", DATA_DIR: join(cwd, "data") };
  const startIn = async (folder: string) =>
    (await start([process.execPath, ...service.words], env, folder)).time / second;
  const starts: Pair[] = [];
  for (let round = 0; round < rounds; round++) starts.push({ few: await startIn("."), more: await startIn(cwd) });

  const few = await startServer(service, "/readyz");
  const more = await startServer({ ...service, cwd }, "/readyz");
  const load = async (fragment: Fragment, time: Milliseconds): Promise<Pair> => ({
    few: (await measureLoad(few, pathsOf(fragment, "."), time)).cpuTime,
    more: (await measureLoad(more, pathsOf(fragment, cwd), time)).cpuTime,
  });
  const loads: Record<Fragment, Pair[]> = { footer: [], newsletter: [] };
  for (const fragment of fragments) await load(fragment, warmUp);
  for (let round = 0; round < rounds; round++) {
    for (const fragment of fragments) loads[fragment].push(await load(fragment, roundTime));
  }

  const ratio = (fragment: Fragment) => summarize(loads[fragment].map(({ few, more }) => more / few));
  return {
    figures: {
      countriesFooter: ratio("footer"),
      countriesNewsletter: ratio("newsletter"),
      countriesStart: summarize(starts.map(({ more }) => more)),
    },
    table: [
      ["", "nine countries", `${many} countries`],
      ...fragments.map((fragment) => [`${fragment}, CPU per request (µs)`, ...cells(loads[fragment])]),
      ["start to ready (s)", ...cells(starts)],
    ],
  };
}

function cells(pairs: readonly Pair[]): string[] {
  return [pairs.map(({ few }) => few), pairs.map(({ more }) => more)].map((all) => formatSummary(summarize(all)));
}

/** Gives the paths of a fragment for all sites of a build. */
function pathsOf(fragment: string, folder: string): string[] {
  return findSites(join(folder, "countries")).map((site) => `/fragments/${fragment}/${site}`);
}

/** Builds the service in a folder, with countries that are made up besides its own. */
async function buildWithMany(folder: string): Promise<void> {
  for (const source of sources) await cp(source, join(folder, source), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  const there = findSites("countries");
  const free = twoLetters().filter((code) => !there.includes(code.toUpperCase()));
  const germany = await readFile("countries/de.ts", "utf8");
  for (const code of free.slice(0, many - there.length)) {
    const country = germany
      .replace('site: "DE"', `site: "${code.toUpperCase()}"`)
      .replace("https://de.storefront.example", `https://${code}.storefront.example`)
      .replace('"de.localhost"', `"${code}.localhost"`)
      .replace('code: "de"', `code: "${code}"`);
    await writeFile(join(folder, "countries", `${code}.ts`), country);
  }
  execFileSync(process.execPath, ["build.mjs"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
}

function twoLetters(): string[] {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  return letters.flatMap((first) => letters.map((other) => first + other));
}
