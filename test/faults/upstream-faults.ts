/**
 * Lets every real service fail in every way, all at once, while shoppers and staff go on. Footers must stay whole and
 * quick, and no caller may take a fault for a success.
 *
 *   node build.mjs && tsx test/faults/upstream-faults.ts [seconds=60] [seed]
 *
 * The seconds are those of each fault. Prints the figures, and exits with 1 when one of them is out of its bound.
 */
import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { realServices } from "../../server/services/real-services.ts";
import { findFreePort } from "../support/find-free-port.ts";
import { startProcess } from "../support/start-process.ts";
import { type FaultName, startFaultyUpstream, upstreamFaults } from "./faulty-upstream.ts";
import { type Footers, loadFooters } from "./load-footers.ts";
import { calls, makeCall, type Outcome } from "./upstream-calls.ts";

interface FaultTrial {
  /** How long each fault lasts. */
  seconds: number;
  /** Footers a second. */
  rate: number;
  /**
   * Whether calls go on for as long as the fault lasts, each until it is answered. Else each is made once, and its
   * caller leaves with the fault.
   */
  keepCalling: boolean;
  /** Decides the order of the faults. */
  seed: number;
}

export interface FaultFigures {
  footers: Footers;
  calls: {
    /** How many were answered while a service failed. */
    answered: number;
    /** Answers that are wrong, by fault and call. */
    wrong: string[];
  };
  /** Longest time from the end of a fault until every call is answered rightly again. */
  recovery: Milliseconds;
}

/** Bounds of the figures. */
export const longestFooter: Milliseconds = 50;
export const longestRecovery: Milliseconds = 10 * second;

/** Pause between two calls of a caller. */
const between: Milliseconds = second / 2;
/** Longest time that a caller waits: more than the service takes for any call. */
const patience: Milliseconds = 20 * second;

/** Tries every fault on all real services, with all of them well between two faults. */
export async function tryUpstreamFaults({ seconds, rate, keepCalling, seed }: FaultTrial): Promise<FaultFigures> {
  const upstream = await startFaultyUpstream();
  const service = await startService(upstream.origin);
  await recover(service.origin);
  const footers = loadFooters(service.origin, rate);
  const figures: Omit<FaultFigures, "footers"> = { calls: { answered: 0, wrong: [] }, recovery: 0 };
  try {
    for (const name of shuffle(Object.keys(upstreamFaults) as FaultName[], seed)) {
      await upstream.fail(name);
      count(name, await callFor(service.origin, seconds * second, keepCalling));
      await upstream.fail(undefined);
      figures.recovery = Math.max(figures.recovery, await recover(service.origin));
    }
    // A host that has no address, for a service of its own.
    const lost = await startService("http://nowhere.invalid");
    count("has no address", await callFor(lost.origin, seconds * second, keepCalling));
    await lost.end();
    return { ...figures, footers: await footers.end() };
  } finally {
    await service.end();
    await upstream.close();
  }

  function count(fault: FaultName | "has no address", outcomes: Outcome[]) {
    const isHarmless = fault !== "has no address" && "isHarmless" in upstreamFaults[fault];
    const wrong = outcomes.filter((outcome) => !(isHarmless && outcome.isRight) && isWrong(outcome));
    figures.calls.answered += outcomes.filter(({ status }) => status !== undefined).length;
    for (const { call, status, fault: how = "takes it for a success" } of wrong)
      figures.calls.wrong.push(`an upstream that ${fault}: ${call} ${status === undefined ? "hangs" : how}`);
  }

  function isWrong({ status, isRight, fault }: Outcome): boolean {
    return status === undefined ? keepCalling : isRight || fault !== undefined;
  }
}

/** Starts the built service with every real service at an origin. */
async function startService(upstream: string) {
  const port = await findFreePort();
  const origins = realServices.map(({ variable }) => [variable, upstream]);
  const service = startProcess({
    ...Object.fromEntries(origins),
    ...{ HOST: "127.0.0.1", PORT: String(port), NODE_ENV: "production", LOG_LEVEL: "fatal" },
  });
  const origin = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${origin}/readyz`).catch(() => undefined))?.ok) await pause(50);
  return {
    origin,
    async end() {
      service.signal("SIGKILL");
      await service.ended;
    },
  };
}

/** Makes every call, over and over or once, for so long. */
async function callFor(origin: string, time: Milliseconds, keepCalling: boolean): Promise<Outcome[]> {
  const timeUp = AbortSignal.timeout(time);
  const outcomes: Outcome[] = [];
  const everyCall = calls.map(async (call) => {
    do {
      outcomes.push(await makeCall(origin, call, keepCalling ? AbortSignal.timeout(patience) : timeUp));
      if (keepCalling) await pause(between);
    } while (keepCalling && !timeUp.aborted);
  });
  await Promise.all(everyCall);
  return outcomes;
}

/** Waits until every call is answered rightly, and tells how long that has taken. It gives up at twice its bound. */
async function recover(origin: string): Promise<Milliseconds> {
  const started = performance.now();
  const giveUp = AbortSignal.timeout(2 * longestRecovery);
  const everyCall = calls.map(async (call) => {
    while (!giveUp.aborted && !(await makeCall(origin, call, giveUp)).isRight) await pause(100);
  });
  await Promise.all(everyCall);
  return performance.now() - started;
}

function shuffle<T>(list: T[], seed: number): T[] {
  const [shuffled = list] = fc.sample(fc.shuffledSubarray(list, { minLength: list.length }), { seed, numRuns: 1 });
  return shuffled;
}

if (import.meta.filename === process.argv[1]) {
  const [seconds = 60, seed = randomInt(1_000_000)] = process.argv.slice(2).map(Number);
  console.log(`seed ${seed}`);
  const { footers, calls: made, recovery } = await tryUpstreamFaults({ seconds, seed, rate: 200, keepCalling: true });
  console.table({
    footers: footers.asked,
    "footers that are wrong": footers.wrong.length,
    "p99 of footers in ms": Math.round(footers.p99 * 10) / 10,
    "calls while a service failed": made.answered,
    "calls that are wrong": made.wrong.length,
    "longest recovery in s": Math.round(recovery / 100) / 10,
  });
  for (const wrong of new Set([...footers.wrong, ...made.wrong])) console.error(wrong);
  const isHeld = footers.wrong.length + made.wrong.length === 0;
  process.exitCode = isHeld && footers.p99 <= longestFooter && recovery <= longestRecovery ? 0 : 1;
}
