import { setTimeout as pause } from "node:timers/promises";
import { Agent, request } from "undici";
import { second } from "../../client/rules/time.ts";
import { createVisitors } from "../faults/visitors.ts";
import { cpuTimeOf } from "./process-figures.ts";
import { formatSummary, type Measure } from "./report.ts";
import { type RunningServer, service, startServer } from "./start-server.ts";
import { summarize } from "./summarize.ts";

const footer = "/fragments/footer/DE";
const rounds = 5;
/** How many ask at once. */
const atOnce = 8;

interface Asked {
  title: string;
  server: RunningServer;
  perRound: number;
  /** Returns whether it was answered. On a busy machine the service rejects some requests, which are repeated. */
  ask(): Promise<boolean>;
}

/**
 * Measures the processor time of each kind of answer. That of a sign-up includes rendering the mail and writing it to a
 * file.
 */
export const answerCosts: Measure = {
  name: "answers",
  duration: 60 * second,
  async run() {
    const dispatcher = new Agent({ connections: atOnce });
    const cached = await startServer({ ...service, env: { ...service.env, TRUST_PROXY: "127.0.0.1" } }, footer);
    const rendered = await startServer({ ...service, env: { ...service.env, RENDER_CACHE: "off" } }, footer);
    const get = async ({ origin }: RunningServer, path: string, headers: Record<string, string> = {}) => {
      const { statusCode, body } = await request(`${origin}${path}`, { dispatcher, headers });
      await body.dump({ limit: 1e6 });
      if (![200, 304, 503].includes(statusCode)) throw new Error(`${path} was answered with ${statusCode}`);
      return statusCode !== 503;
    };
    const known = { "if-none-match": (await fetch(`${cached.origin}${footer}`)).headers.get("etag") ?? "" };
    const kinds: Asked[] = [
      { title: "footer, cached", server: cached, perRound: 8_000, ask: () => get(cached, footer) },
      { title: "footer, 304", server: cached, perRound: 8_000, ask: () => get(cached, footer, known) },
      { title: "footer, rendered", server: rendered, perRound: 3_000, ask: () => get(rendered, footer) },
      { title: "login page", server: cached, perRound: 3_000, ask: () => get(cached, "/login") },
      { title: "sign-up and its mail", server: cached, perRound: 500, ask: createSignUp(cached) },
    ];
    for (const kind of kinds) await costOf(kind);
    const costs = kinds.map(() => [] as number[]);
    for (let round = 0; round < rounds; round++)
      for (const [index, kind] of kinds.entries()) costs[index]?.push(await costOf(kind));
    await dispatcher.close();
    return {
      figures: {},
      table: [
        ["", "µs of a core", "a second and core"],
        ...kinds.map(({ title }, index) => {
          const cost = summarize(costs[index] ?? []);
          return [title, formatSummary(cost), String(Math.round(1e6 / cost.median))];
        }),
      ],
    };
  },
};

function createSignUp({ origin }: RunningServer): Asked["ask"] {
  const { signUp } = createVisitors();
  return () =>
    signUp(Number(new URL(origin).port)).catch((error: Error) => {
      if (error.message.endsWith(" 503")) return false;
      throw error;
    });
}

/** Returns the processor time of one answer in microseconds, with the work that it causes. */
async function costOf({ server, perRound, ask }: Asked): Promise<number> {
  const before = cpuTimeOf(server.pid);
  let left = perRound;
  const askAgain = async () => {
    while (left-- > 0) if (!(await ask())) left++;
  };
  await Promise.all(Array.from({ length: atOnce }, askAgain));
  return ((await settled(server)) - before) * (1000 / perRound);
}

/** Waits until a server is idle. Returns its processor time so far. */
async function settled({ pid }: RunningServer): Promise<number> {
  for (let before = cpuTimeOf(pid); ; ) {
    await pause(0.3 * second);
    const now = cpuTimeOf(pid);
    if (now - before <= 10) return now;
    before = now;
  }
}
