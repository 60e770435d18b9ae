import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { atLeast, atMost, type Figure, none, type Proof, scaled, type Trial } from "../faults/proof.ts";
import { type Replica, startReplica } from "../support/start-process.ts";
import { fuzzedRequest, marker } from "./fuzzed-request.ts";
import { type Answer, type Sent, sendRequest } from "./send-request.ts";

const atOnce = 4;
const perBatch = 1_000;
/** How often a request is repeated that took long, as garbage collection or a first compilation may have been it. */
const repeats = 3;
const limit: Milliseconds = 50;

export const fuzzRequests: Proof = {
  name: "fuzzed requests",
  does: "Sends requests to all routes whose method, path, query, headers, cookies and body were changed at random, half of them to the service without its demo, half to the demo.",
  async run(trial) {
    const figures = [fuzz("no demo", {}, trial), fuzz("demo", { DEMO: "on", OVERVIEW: "on" }, trial)];
    return (await Promise.all(figures)).flat();
  },
};

async function fuzz(title: string, environment: Record<string, string>, trial: Trial): Promise<Figure[]> {
  const service = await startReplica({ LOG_LEVEL: "info", ...environment }, ["./test/fuzz/report-cpu-time.ts"]);
  const count = scaled(50_000, trial, 1_500);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  const slow: string[] = [];

  for (let begun = 0; begun < count; begun += perBatch) {
    const numRuns = Math.min(perBatch, count - begun);
    const requests = fc.sample(fuzzedRequest, { seed: seedOf(title, trial) + begun, numRuns });
    const place = service.stdout().length;
    const queue = requests.entries();
    const work = async () => {
      for (const [index, request] of queue) {
        const answer = await sendRequest(service.port, withId(request, String(index)));
        statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
        const fault = answer && faultOf(answer);
        if (fault) faults.push(`${fault}: ${describe(request)}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    slow.push(...(await findSlow(service, requests, place)));
  }
  const isReady = await service.isReady();
  const met = new Set((await service.metrics()).match(/route="[^"]+"/g));
  await service.kill();
  return [
    atLeast(
      `${title}: requests`,
      [...statuses.values()].reduce((sum, times) => sum + times, 0),
      count,
    ),
    atLeast(`${title}: routes met`, met.size, 35),
    atMost(`${title}: without an answer`, statuses.get(0) ?? 0, count / 100),
    none(`${title}: faults`, [...(isReady ? [] : ["it isn't ready afterwards"]), ...faults]),
    none(`${title}: over 50 ms of processor time`, slow),
  ];
}

/** The demo gets other requests than production. */
function seedOf(title: string, { seed }: Trial): number {
  return title === "demo" ? seed + 1_000_000 : seed;
}

function withId(request: Sent, id: string): Sent {
  return { ...request, headers: { ...request.headers, "X-Fuzz": id } };
}

function describe({ method, path, headers, body }: Sent): string {
  return `${method} ${path} ${JSON.stringify(headers)} ${body ?? ""}`;
}

/** Says what an answer must not be: our fault, or one that repeats the sender's words as markup or as a header. */
function faultOf({ status, headers, body }: Answer): string | undefined {
  const isShed = status === 503 && headers["retry-after"] !== undefined;
  if (status >= 500 && !isShed) return String(status);
  if (String(headers["content-type"]).includes("html") && markup.test(body)) return "reflected in the page";
  if (
    Object.entries(headers).some(
      ([name, value]) => name.includes(marker) || (/[<>]/.test(String(value)) && String(value).includes(`<${marker}`)),
    )
  )
    return "reflected in a header";
  return undefined;
}

/** The marker as a tag, behind a quote that ends an attribute, as an attribute's code, or as another site. */
const markup = new RegExp(
  [
    `<${marker}`,
    `["'](?:>|&gt;)(?:<|&lt;)(?:svg onload=)?${marker}`,
    `<svg onload=${marker}`,
    `(?:href|src|action)="(?:javascript:|//)${marker}`,
  ].join("|"),
);

/** What the service has written of the processor time of requests since a place in its log: microseconds by id. */
function timesSince(place: number, service: Replica): Map<string, number> {
  const lines = service
    .stdout()
    .slice(place)
    .matchAll(/^fuzz (\w+) took (\d+) µs$/gm);
  return new Map([...lines].map(([, id = "", time]) => [id, Number(time)]));
}

/** Sends a request with nothing else to do for the service, and waits until its processor time is told. */
async function timeAlone(service: Replica, request: Sent): Promise<Milliseconds> {
  const place = service.stdout().length;
  await sendRequest(service.port, withId(request, "alone"));
  for (const end = performance.now() + 15 * second; performance.now() < end; await pause(5)) {
    const time = timesSince(place, service).get("alone");
    if (time !== undefined) return time / 1_000;
  }
  throw new Error(`the time of ${describe(request)} isn't told`);
}

/** Finds the requests of a batch that take longer than the limit each time; `place` is where its log begins. */
async function findSlow(service: Replica, requests: readonly Sent[], place: number): Promise<string[]> {
  // What was written before this one's time is there when that is.
  await timeAlone(service, { method: "GET", path: "/livez", headers: {} });
  const slow: string[] = [];
  for (const index of timesSince(place, service).keys()) {
    const request = requests[Number(index)];
    if (!request) continue;
    const times: Milliseconds[] = [];
    for (let repeat = 0; repeat < repeats; repeat++) times.push(await timeAlone(service, request));
    if (Math.min(...times) > limit) slow.push(`${Math.round(Math.min(...times))} ms: ${describe(request)}`);
  }
  return slow;
}
