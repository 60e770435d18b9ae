import { second } from "../../client/rules/time.ts";
import { buildPeers, peers } from "./build-peers.ts";
import { get, type LoadFigures, measureLoad } from "./measure-load.ts";
import { formatSummary, type Measure } from "./report.ts";
import { type RunningServer, type Server, service, startServer } from "./start-server.ts";
import { summarize, summarizeRatio } from "./summarize.ts";

const site = "DE";
const path = `/fragments/footer/${site}`;
const rounds = 5;

/** In the order in which each round visits them. */
const servers = {
  cached: { ...service, title: "service, cache on" },
  rendered: { ...service, title: "service, rendered per request", env: { ...service.env, RENDER_CACHE: "off" } },
  ...peers,
} satisfies Record<string, Server>;

/** The number of requests to a server per round: about two seconds of its processor time. */
const perRound: Record<Name, number> = { cached: 20_000, rendered: 8_000, logged: 20_000, react: 1_000, hono: 2_000 };

type Name = keyof typeof servers;

/** Measures the processor time of a footer, in the service and in other servers. */
export const footerLoad: Measure = {
  name: "footer",
  duration: 85 * second,
  async run() {
    await buildPeers(site);
    const running = await startAll();
    await checkAnswers(running);
    const load = (name: Name) => measureLoad(running[name], perRound[name], () => get(running[name], path));
    await forEach(load);
    const measured: Record<Name, LoadFigures>[] = [];
    // Each round loads every server, so that a slow moment of the machine affects all of them.
    for (let round = 0; round < rounds; round++) measured.push(await forEach(load));
    await checkAnswers(running);

    const all = (name: Name, figure: keyof LoadFigures) => measured.map((round) => round[name][figure]);
    const ratio = (one: Name, other: Name) => summarizeRatio(all(one, "cpuTime"), all(other, "cpuTime"));
    return {
      figures: {
        footerToLogged: ratio("cached", "logged"),
        renderedToReact: ratio("rendered", "react"),
        renderedToHono: ratio("rendered", "hono"),
      },
      table: [
        ["", "requests/s", "CPU per request (µs)"],
        ...names.map((name) => [
          servers[name].title,
          ...columns.map((figure) => formatSummary(summarize(all(name, figure)))),
        ]),
      ],
    };
  },
};

const names = Object.keys(servers) as Name[];
const columns = ["requestsPerSecond", "cpuTime"] as const;

/** Runs some work for each server, one after the other. */
async function forEach<Result>(work: (name: Name) => Promise<Result>): Promise<Record<Name, Result>> {
  const results: Partial<Record<Name, Result>> = {};
  for (const name of names) results[name] = await work(name);
  return results as Record<Name, Result>;
}

/** Starts all servers. The first one is the service, whose URL the others get. */
function startAll(): Promise<Record<Name, RunningServer>> {
  let SOURCE = "";
  return forEach(async (name) => {
    const server: Server = servers[name];
    const running = await startServer({ ...server, env: { ...server.env, SOURCE } }, path);
    SOURCE ||= `${running.origin}${path}`;
    return running;
  });
}

/**
 * Checks that all servers answer with the service's footer: the same bytes, except React's comments between texts.
 * @throws Error naming the server that answers differently
 */
async function checkAnswers(running: Record<Name, RunningServer>): Promise<void> {
  // The cached footer may have expired while the others started.
  await footerOf(running.cached);
  const expected = await footerOf(running.cached, "hit");
  for (const name of names) {
    const footer = await footerOf(running[name], name === "rendered" ? "bypass" : undefined);
    if (footer !== expected) throw new Error(`${running[name].title}: answered another footer`);
  }
}

/** @param cache - the expected result of the cache in Server-Timing */
async function footerOf({ title, origin }: RunningServer, cache?: string): Promise<string> {
  const response = await fetch(`${origin}${path}`);
  const timing = response.headers.get("server-timing") ?? "";
  if (!response.ok) throw new Error(`${title}: answered ${response.status}`);
  if (cache && !timing.endsWith(`cache;desc=${cache}`)) throw new Error(`${title}: not a ${cache}, but ${timing}`);
  return (await response.text()).replaceAll("<!-- -->", "");
}
