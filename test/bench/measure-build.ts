import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { request } from "undici";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Build } from "./build-commit.ts";
import type { Samples } from "./compare-figures.ts";
import { firstByteTime } from "./first-byte.ts";
import { get, measureLoad } from "./measure-load.ts";
import { memoryOf, threadTimeOf } from "./process-figures.ts";
import { type RunningServer, service, startServer } from "./start-server.ts";

/** What is measured of a build. Bytes are those of gzip. */
export const figures = {
  cached: { title: "footer, cached", unit: "µs", counts: "min" },
  rendered: { title: "footer, rendered", unit: "µs", counts: "median" },
  memory: { title: "memory after rendering", unit: "MB", counts: "median" },
  start: { title: "start until ready", unit: "ms", counts: "min" },
  memoryAtRest: { title: "memory at rest", unit: "MB", counts: "median" },
  json: { title: "footer as JSON", unit: "µs", counts: "median" },
  page: { title: "login page", unit: "µs", counts: "median" },
  firstByte: { title: "login page, time to first byte", unit: "ms", counts: "min" },
  signUp: { title: "sign-up by form, with its email", unit: "µs", counts: "median" },
  footerBytes: { title: "footer", unit: "bytes", counts: "min" },
  styleBytes: { title: "stylesheets of the footer", unit: "bytes", counts: "min" },
  scriptBytes: { title: "scripts of the footer", unit: "bytes", counts: "min" },
} as const satisfies Record<string, Pick<Samples, "title" | "unit" | "counts">>;

export type Figures = Partial<Record<keyof typeof figures, number>>;

const footer = "/fragments/footer/DE";
/** The number of answers per round. The compiler spends time on the first rendered ones. */
const answers = { cached: 3_000, warmUp: 1_000, rendered: 2_000, json: 1_500, page: 1_500, signUps: 200 };
/** How long a server rests after its start, until it has done the work that it postpones. */
const rest: Milliseconds = 3 * second;
const megabyte = 1e6;

/** Starts a build that caches what it has rendered, with callers from many networks. */
export function startKeeping({ words }: Build): Promise<RunningServer> {
  return startServer({ ...service, words, env: { ...service.env, TRUST_PROXY: "127.0.0.1" } }, footer);
}

/**
 * Measures the start of a build, and the cost of rendering for each request. Each call starts a process, because memory
 * differs between processes.
 * @param isWhole - whether to measure its memory at rest, too
 */
export async function measureRendering({ words }: Build, isWhole: boolean): Promise<Figures> {
  const server = await startServer({ ...service, words, env: { ...service.env, RENDER_CACHE: "off" } }, "/readyz");
  try {
    const start = threadTimeOf(server.pid);
    await pause(rest);
    const memoryAtRest = memoryOf(server.pid) / megabyte;
    const ask = () => get(server, footer);
    await measureLoad(server, answers.warmUp, ask);
    const { cpuTime } = await measureLoad(server, answers.rendered, ask);
    const memory = memoryOf(server.pid) / megabyte;
    return { start, rendered: cpuTime, memory, ...(isWhole && { memoryAtRest }) };
  } finally {
    server.stop();
  }
}

/** Measures what a cached footer costs. */
export async function measureCached(server: RunningServer): Promise<Figures> {
  return { cached: (await measureLoad(server, answers.cached, () => get(server, footer))).cpuTime };
}

/** Measures what the other answers cost, and how many bytes the footer brings into a page. */
export async function measureAnswers(server: RunningServer): Promise<Figures> {
  const costOf = async (count: number, ask: () => Promise<boolean>) => (await measureLoad(server, count, ask)).cpuTime;
  return {
    json: await costOf(answers.json, () => get(server, `${footer}.json`)),
    page: await costOf(answers.page, () => get(server, "/login")),
    firstByte: await firstByteTime(server, "/login"),
    signUp: await costOf(answers.signUps, () => signUpByForm(server)),
    ...(await countBytes(server)),
  };
}

let signUps = 0;

/**
 * Signs up a new address by the form without script, from a network of its own.
 * @returns whether the service accepted it: on a busy machine it rejects some requests
 */
async function signUpByForm({ origin }: RunningServer): Promise<boolean> {
  const id = ++signUps;
  const { statusCode, body } = await request(`${origin}/newsletter`, {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      host: "de.localhost",
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": `10.${id >> 16}.${(id >> 8) & 255}.${id & 255}`,
    },
    body: new URLSearchParams({ email: `visitor-${id}@shop.example` }).toString(),
  });
  await body.dump();
  if (![303, 503].includes(statusCode)) throw new Error(`a sign-up was answered with ${statusCode}`);
  return statusCode === 303;
}

/** Counts the compressed bytes of the footer, and of the files that it names. */
export async function countBytes({ origin }: RunningServer) {
  const html = await (await fetch(`${origin}${footer}`)).text();
  const bytesOf = async (tag: RegExp) => {
    const paths = [...html.matchAll(tag)].flatMap(([, path]) => path ?? []);
    const sizes = paths.map(async (path) => gzipSync(await (await fetch(new URL(path, origin))).bytes()).length);
    return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  };
  return {
    footerBytes: gzipSync(html).length,
    styleBytes: await bytesOf(/<link [^>]*href="([^"]+\.css)"/g),
    scriptBytes: await bytesOf(/<script [^>]*src="([^"]+\.js)"/g),
  };
}
