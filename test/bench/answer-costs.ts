import { second } from "../../client/rules/time.ts";
import { createVisitors } from "../faults/visitors.ts";
import { get, measureLoad } from "./measure-load.ts";
import { formatSummary, type Measure } from "./report.ts";
import { type RunningServer, service, startServer } from "./start-server.ts";
import { summarize } from "./summarize.ts";

const footer = "/fragments/footer/DE";
const rounds = 5;

interface Asked {
  title: string;
  server: RunningServer;
  perRound: number;
  /**
   * Asks once.
   * @returns whether it was answered; if not, it is repeated
   */
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
    const cached = await startServer({ ...service, env: { ...service.env, TRUST_PROXY: "127.0.0.1" } }, footer);
    const rendered = await startServer({ ...service, env: { ...service.env, RENDER_CACHE: "off" } }, footer);
    const known = { "if-none-match": (await fetch(`${cached.origin}${footer}`)).headers.get("etag") ?? "" };
    const kinds: Asked[] = [
      { title: "footer, cached", server: cached, perRound: 8_000, ask: () => get(cached, footer) },
      { title: "footer, 304", server: cached, perRound: 8_000, ask: () => get(cached, footer, known) },
      { title: "footer, rendered", server: rendered, perRound: 3_000, ask: () => get(rendered, footer) },
      { title: "login page", server: cached, perRound: 3_000, ask: () => get(cached, "/login") },
      { title: "sign-up and its mail", server: cached, perRound: 500, ask: createSignUp(cached) },
    ];
    const costOf = async ({ server, perRound, ask }: Asked) => (await measureLoad(server, perRound, ask)).cpuTime;
    for (const kind of kinds) await costOf(kind);
    const costs = kinds.map(() => [] as number[]);
    for (let round = 0; round < rounds; round++)
      for (const [index, kind] of kinds.entries()) costs[index]?.push(await costOf(kind));
    const signUp = summarize((costs.at(-1) ?? []).map((cost) => cost / 1_000));
    return {
      figures: { signUpCost: signUp },
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
