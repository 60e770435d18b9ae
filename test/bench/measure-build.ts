import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { request } from "undici";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Build } from "./build-commit.ts";
import type { Samples } from "./compare-figures.ts";
import { firstByteTime } from "./first-byte.ts";
import { get, measureLoad } from "./measure-load.ts";
import { memoryOf, threadTimeOf } from "./process-figures.ts";
import { type Both, byTurns, type Side } from "./sides.ts";
import { type RunningServer, service, startServer } from "./start-server.ts";

/** What is measured of a build. Bytes are those of gzip. */
export const figures = {
  cached: { title: "footer, cached", unit: "µs", counts: "min" },
  rendered: { title: "footer, rendered", unit: "µs", counts: "min" },
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
/**
 * The number of answers per measurement. The first ones cost up to twice as much as later ones, in a new process and
 * its caller, and again after each rest.
 */
const answers = {
  warmUp: 8_000,
  cached: 10_000,
  renderedWarmUp: 3_000,
  rendered: 1_500,
  json: 1_500,
  page: 1_500,
  signUps: 200,
};
/** How often rendered footers are measured in a round. */
const turns = 3;
/** How long a server rests after its start, until it has done the work that it postpones. */
const rest: Milliseconds = 3 * second;
const megabyte = 1e6;

/** Starts a process of a build. One that has run before would otherwise start from its compiled code. */
function startBuild({ words }: Build, own: Record<string, string>, path: string): Promise<RunningServer> {
  const env = { ...service.env, NODE_DISABLE_COMPILE_CACHE: "1", ...own };
  return startServer({ ...service, words, env }, path);
}

/**
 * Starts processes of both builds that cache what they have rendered, with callers from many networks.
 * @returns two of each build, because equal processes differ by up to a fifth as long as they run
 */
export async function startKeeping(builds: Both<Build>): Promise<[Both<RunningServer>, Both<RunningServer>]> {
  const start = async (side: Side) => {
    const server = await startBuild(builds[side], { TRUST_PROXY: "127.0.0.1" }, footer);
    await measureFooter(server, answers.warmUp);
    return server;
  };
  return [await byTurns("base", start), await byTurns("now", start)];
}

/** Measures what a cached footer costs. */
export async function measureCached(keeping: readonly Both<RunningServer>[], first: Side): Promise<Both<Figures>> {
  const costs: Both<number>[] = [];
  for (const pair of keeping) costs.push(await byTurns(first, (side) => measureFooter(pair[side], answers.cached)));
  const { base, now } = leastOf(costs);
  return { base: { cached: base }, now: { cached: now } };
}

/**
 * Measures the start of both builds, and the cost of rendering for each request. Each call starts processes, because
 * memory differs between them.
 * @param isWhole - whether to measure memory at rest, too
 */
export async function measureRendering(builds: Both<Build>, first: Side, isWhole: boolean): Promise<Both<Figures>> {
  const servers = await byTurns(first, async (side) => {
    const server = await startBuild(builds[side], { RENDER_CACHE: "off" }, "/readyz");
    return { server, start: threadTimeOf(server.pid) };
  });
  await pause(rest);
  const memory = (side: Side) => memoryOf(servers[side].server.pid) / megabyte;
  const render = (side: Side, count: number) => measureFooter(servers[side].server, count);
  const atRest = { base: memory("base"), now: memory("now") };
  await byTurns(first, (side) => render(side, answers.renderedWarmUp));
  const costs: Both<number>[] = [];
  while (costs.length < turns) costs.push(await byTurns(first, (side) => render(side, answers.rendered)));
  const rendered = leastOf(costs);
  const finish = (side: Side): Figures => {
    const { server, start } = servers[side];
    const after = memory(side);
    server.stop();
    return { start, rendered: rendered[side], memory: after, ...(isWhole && { memoryAtRest: atRest[side] }) };
  };
  return { base: finish("base"), now: finish("now") };
}

async function measureFooter(server: RunningServer, count: number): Promise<number> {
  return (await measureLoad(server, count, () => get(server, footer))).cpuTime;
}

function leastOf(costs: readonly Both<number>[]): Both<number> {
  return { base: Math.min(...costs.map(({ base }) => base)), now: Math.min(...costs.map(({ now }) => now)) };
}

/** Measures what the other answers cost, and how many bytes the footer brings into a page. */
export async function measureAnswers(server: RunningServer): Promise<Figures> {
  const costOf = async (count: number, ask: () => Promise<boolean>) => (await measureLoad(server, count, ask)).cpuTime;
  // Early builds answer JSON at another address.
  const hasJson = (await fetch(`${server.origin}${footer}.json`)).ok;
  return {
    ...(hasJson && { json: await costOf(answers.json, () => get(server, `${footer}.json`)) }),
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
