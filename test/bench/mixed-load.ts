import { setTimeout as pause } from "node:timers/promises";
import { hour, type Milliseconds, second } from "../../client/rules/time.ts";
import { createVisitors } from "../faults/visitors.ts";
import { get, measureLoad } from "./measure-load.ts";
import { formatSummary, type Measure } from "./report.ts";
import { type RunningServer, service, startServer } from "./start-server.ts";
import { percentile, summarize, summarizeRatio } from "./summarize.ts";

const footer = "/fragments/footer/DE";
const rounds = 7;
const roundTime: Milliseconds = 5 * second;
/** The part of the possible load of footers that is requested. */
const part = 0.7;
/** As many sign-ups as the limit of emails lets through: docs/operate.md, Newsletter. */
const signUpInterval: Milliseconds = hour / 30_000;

/**
 * Measures how long cached footers take at 70 % load, with and without sign-ups and their emails. A footer's time begins
 * when it is due, so that waiting for an earlier one counts.
 */
export const mixedLoad: Measure = {
  name: "mixed",
  duration: rounds * 2 * roundTime,
  async run() {
    const server = await startServer({ ...service, env: { ...service.env, TRUST_PROXY: "127.0.0.1" } }, footer);
    await measureLoad(server, 20_000, () => get(server, footer));
    const { cpuTime } = await measureLoad(server, 20_000, () => get(server, footer));
    // By processor time, as the rate of a busy machine varies.
    const perSecond = (part * second * 1_000) / cpuTime;
    const { signUp } = createVisitors();
    const port = Number(new URL(server.origin).port);
    const alone: Milliseconds[] = [];
    const beside: Milliseconds[] = [];
    for (let round = 0; round < rounds; round++) {
      alone.push(percentile(await footerTimes(server, perSecond), 0.99));
      const signUps = every(signUpInterval, () => signUp(port));
      beside.push(percentile(await footerTimes(server, perSecond), 0.99));
      await signUps.end();
    }
    return {
      figures: { footersBesideSignUps: summarizeRatio(beside, alone) },
      table: [
        [`${Math.round(perSecond)} footers a second`, "p99 (ms)"],
        ["alone", formatSummary(summarize(alone))],
        ["with 8.3 sign-ups a second", formatSummary(summarize(beside))],
      ],
    };
  },
};

/**
 * Requests footers at a steady rate.
 * @returns how long after its due moment each arrived
 */
async function footerTimes(server: RunningServer, perSecond: number): Promise<Milliseconds[]> {
  const began = performance.now();
  const times: Milliseconds[] = [];
  const answers: Promise<unknown>[] = [];
  const count = Math.round((perSecond * roundTime) / second);
  const dueAt = (index: number) => began + (index * second) / perSecond;
  for (let index = 0; index < count; ) {
    while (index < count && dueAt(index) <= performance.now()) {
      const due = dueAt(index++);
      answers.push(get(server, footer).then(() => times.push(performance.now() - due)));
    }
    await pause(1);
  }
  await Promise.all(answers);
  return times;
}

/** Repeats some work at an interval, without waiting for it, until `end` is called. */
function every(interval: Milliseconds, work: () => Promise<unknown>) {
  const begun: Promise<unknown>[] = [];
  const timer = setInterval(() => begun.push(work()), interval);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(begun);
    },
  };
}
