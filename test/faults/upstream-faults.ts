import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { realServices } from "../../server/services/real-services.ts";
import { type FaultName, upstreamFaults as faults, startFaultyUpstream } from "./faulty-upstream.ts";
import { loadFooters } from "./load-footers.ts";
import { atLeast, atMost, type Figure, none, type Proof, scaled, type Trial } from "./proof.ts";
import { type Replica, startReplica } from "./start-replica.ts";
import { calls, makeCall, type Outcome } from "./upstream-calls.ts";

/** A fault of the upstream, or that its host has no address. */
type AnyFault = FaultName | "has no address";

/** How long each fault lasts in the long form. */
const longForm: Milliseconds = 20 * second;
/** How long it lasts at least. */
const shortest: Milliseconds = 300;
/** Pause between two calls of a caller. */
const between: Milliseconds = second / 2;
/** Longest time that a caller waits: more than the service takes for any call. */
const patience: Milliseconds = 20 * second;
/** Longest time in which a service that is back has to be seen. */
const longestRecovery: Milliseconds = 10 * second;

export const upstreamFaults: Proof = {
  name: "faults of real services",
  does: "Lets all real services fail at once in every way, and be well between two faults, while footers are asked for and every service is called. Footers stay whole and quick, and nobody takes a fault for a success.",
  async run(trial) {
    const lasts = Math.max(shortest, longForm * trial.scale);
    // In the short form callers leave with the fault: some would have to wait for 15 s.
    const isShort = lasts < longForm;
    const upstream = await startFaultyUpstream();
    const service = await startWith(upstream.origin);
    await recover(service.origin);
    const footers = loadFooters(service.origin, scaled(200, trial, 30));
    const outcomes = new Map<AnyFault, Outcome[]>();
    let recovery: Milliseconds = 0;
    for (const fault of shuffleFaults(trial)) {
      await upstream.fail(fault);
      outcomes.set(fault, await callFor(service.origin, lasts, isShort));
      await upstream.fail(undefined);
      recovery = Math.max(recovery, await recover(service.origin));
    }
    const { asked, p99, wrong } = await footers.end();
    await service.kill();
    await upstream.close();

    const lost = await startWith("http://nowhere.invalid");
    outcomes.set("has no address", await callFor(lost.origin, lasts, isShort));
    await lost.kill();

    const answered = [...outcomes.values()].flat().filter(({ status }) => status !== undefined);
    const taken = [...outcomes].flatMap(([fault, made]) => made.flatMap((outcome) => wrongIn(fault, outcome, isShort)));
    return [
      atLeast("footers", asked, isShort ? 50 : 40_000),
      none("footers that aren't whole", wrong),
      // Beside other tests the processors are shared: only the long form tells how quick footers are.
      ...(isShort ? [] : [atMost("p99 of footers", p99, 50, "ms")]),
      atLeast("calls of failing services", answered.length, isShort ? 100 : 5_000),
      none("calls that are answered wrongly", taken),
      atMost("longest recovery", recovery / second, longestRecovery / second, "s"),
    ] satisfies Figure[];
  },
};

/** Starts the service with every real service at an origin. */
function startWith(upstream: string): Promise<Replica> {
  return startReplica(Object.fromEntries(realServices.map(({ variable }) => [variable, upstream])));
}

/**
 * Makes every call, over and over and each to its end.
 * @param isShort - makes each call once, and leaves when the time is up
 */
async function callFor(origin: string, time: Milliseconds, isShort: boolean): Promise<Outcome[]> {
  const timeUp = AbortSignal.timeout(time);
  const outcomes: Outcome[] = [];
  const everyCall = calls.map(async (call, i) => {
    // Callers don't come all at once.
    if (!isShort) await pause((between * i) / calls.length);
    do {
      outcomes.push(await makeCall(origin, call, isShort ? timeUp : AbortSignal.timeout(patience)));
      if (!isShort) await pause(between);
    } while (!isShort && !timeUp.aborted);
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

/** Says what is wrong with a call that was made while the upstream failed. */
function wrongIn(name: AnyFault, { call, status, isRight, fault }: Outcome, mayLeave: boolean): string[] {
  const isHarmless = name !== "has no address" && "isHarmless" in faults[name];
  const how = isRight ? "takes it for a success" : fault;
  if (status === undefined) return mayLeave ? [] : [`${call} hangs where an upstream ${name}`];
  return how && !(isRight && isHarmless) ? [`${call} ${how} where an upstream ${name}`] : [];
}

function shuffleFaults({ seed }: Trial): FaultName[] {
  const names = Object.keys(faults) as FaultName[];
  return fc.sample(fc.shuffledSubarray(names, { minLength: names.length }), { seed, numRuns: 1 }).flat();
}
