import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { minute, second } from "../../client/rules/time.ts";
import type { Country } from "../../schemas/types.ts";
import { fileNameOf, findSites } from "../../server/config/country-files.ts";
import { memoryOf, threadTimeOf } from "./process-figures.ts";
import { formatSummary, type Measure } from "./report.ts";
import { service, startServer } from "./start-server.ts";
import { summarize, summarizeRatio } from "./summarize.ts";

const rounds = 3;
const counts = { few: 9, many: 200 };
/** How long a replica rests until the fallbacks of all sites are rendered. */
const rest = 5 * second;
const megabyte = 1e6;

interface Sample {
  /** Processor time until the service is ready, in milliseconds. */
  start: number;
  /** Resident memory at rest, in MB. */
  memory: number;
  raw: number;
  compressed: number;
}

/** Measures what further countries cost: the built-in ones, copied under other codes. */
export const manyCountries: Measure = {
  name: "countries",
  duration: minute,
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "bench-"));
    await writeCountries(folder, counts.many);
    const few: Sample[] = [];
    const many: Sample[] = [];
    for (let round = 0; round < rounds; round++) {
      few.push(await sample({}));
      many.push(await sample({ SHOP_DIR: folder }));
    }
    rmSync(folder, { recursive: true });
    const all = (samples: readonly Sample[], name: keyof Sample) => samples.map((one) => one[name]);
    const perCountry = (name: keyof Sample) =>
      summarize(many.map((one, round) => (one[name] - (few[round]?.[name] ?? 0)) / (counts.many - counts.few)));
    const ratio = (name: keyof Sample) => summarizeRatio(all(many, name), all(few, name));
    const cells = (samples: readonly Sample[]) =>
      (["start", "memory", "raw", "compressed"] as const).map((name) => formatSummary(summarize(all(samples, name))));
    return {
      figures: {
        countryStart: perCountry("start"),
        countryMemory: perCountry("memory"),
        countriesRaw: ratio("raw"),
        countriesCompressed: ratio("compressed"),
      },
      table: [
        ["countries", "start (ms)", "memory (MB)", "footer (bytes)", "compressed"],
        [String(counts.few), ...cells(few)],
        [String(counts.many), ...cells(many)],
      ],
    };
  },
};

async function sample(env: Record<string, string>): Promise<Sample> {
  const server = await startServer({ ...service, env: { ...service.env, ...env } }, "/readyz");
  try {
    const start = threadTimeOf(server.pid);
    await pause(rest);
    const memory = memoryOf(server.pid) / megabyte;
    const html = await readFooter(server.origin);
    return { start, memory, raw: Buffer.byteLength(html), compressed: gzipSync(html).length };
  } finally {
    server.stop();
  }
}

/**
 * Reads a footer. Repeats the request, because right after its start a busy service rejects some.
 * @throws Error if it answers differently
 */
async function readFooter(origin: string): Promise<string> {
  for (;;) {
    const response = await fetch(`${origin}/fragments/footer/DE`);
    const html = await response.text();
    if (response.ok) return html;
    if (response.status !== 503) throw new Error(`the footer was answered with ${response.status}`);
    await pause(second);
  }
}

/** Writes the built-in countries into a shop's folder, and then copies with a code, a host and an origin of their own. */
async function writeCountries(folder: string, count: number): Promise<void> {
  const sites = findSites("countries");
  mkdirSync(join(folder, "countries"));
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  const made = letters.flatMap((first) => letters.map((second) => first + second));
  for (const [index, code] of [...new Set([...sites, ...made])].slice(0, count).entries()) {
    const file = `${fileNameOf(sites[index % sites.length] ?? "")}.ts`;
    const { default: country }: { default: Country } = await import(pathToFileURL(resolve("countries", file)).href);
    const host = `${fileNameOf(code)}.localhost`;
    const isCopy = index >= sites.length;
    const own = {
      site: code,
      origin: `https://${host}.shop.example`,
      localHost: host,
      switcher: { ...country.switcher, code: fileNameOf(code) },
    };
    writeFileSync(
      join(folder, "countries", `${fileNameOf(code)}.json`),
      JSON.stringify({ ...country, ...(isCopy && own) }),
    );
  }
}
