import fc from "fast-check";
import { second } from "../../client/rules/time.ts";
import { atLeast, atMost, type Figure, none, type Proof, scaled, type Trial } from "../faults/proof.ts";
import { ranOnProcessor } from "../faults/scheduler-times.ts";
import { startReplica } from "../support/start-process.ts";
import { fuzzedRequest, marker } from "./fuzzed-request.ts";
import { type Answer, sendRequest } from "./send-request.ts";

const atOnce = 4;
const perBatch = 1_000;

export const fuzzRequests: Proof = {
  name: "fuzzed requests",
  does: "Sends requests to all routes whose method, path, query, headers, cookies and body were changed at random, half of them to the service without its demo, half to the demo.",
  async run(trial) {
    const figures = [fuzz("no demo", {}, trial), fuzz("demo", { DEMO: "on", OVERVIEW: "on" }, trial)];
    return (await Promise.all(figures)).flat();
  },
};

async function fuzz(title: string, environment: Record<string, string>, trial: Trial): Promise<Figure[]> {
  const service = await startReplica(environment);
  const count = scaled(50_000, trial);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  /** The time that the service's event loop works, or time itself where the system doesn't tell. */
  const workTime = () => ranOnProcessor(`${service.pid}`) ?? performance.now();
  let most = 0;

  for (let begun = 0; begun < count; begun += perBatch) {
    const numRuns = Math.min(perBatch, count - begun);
    const queue = fc.sample(fuzzedRequest, { seed: seedOf(title, trial) + begun, numRuns }).values();
    const work = async () => {
      for (const request of queue) {
        const start = workTime();
        const answer = await sendRequest(service.port, request);
        most = Math.max(most, workTime() - start);
        statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1);
        const fault = answer && faultOf(answer);
        if (fault) faults.push(`${fault}: ${JSON.stringify(request)}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  }
  const isReady = await service.isReady();
  const met = new Set((await service.metrics()).match(/route="[^"]+"/g));
  await service.kill();
  const sent = [...statuses.values()].reduce((sum, times) => sum + times, 0);
  return [
    atLeast(`${title}: requests`, sent, count),
    atLeast(`${title}: routes met`, met.size, 35),
    atMost(`${title}: without an answer`, statuses.get(0) ?? 0, count / 100),
    none(`${title}: faults`, [...(isReady ? [] : ["it isn't ready afterwards"]), ...faults]),
    // A regular expression that backtracks, or a loop over the input, would take far longer.
    atMost(`${title}: most work during an answer`, most / second, 5, "s"),
  ];
}

/** The demo gets other requests than production. */
function seedOf(title: string, { seed }: Trial): number {
  return title === "demo" ? seed + 1_000_000 : seed;
}

/** Returns the fault of an answer: a failure of ours, or the sender's words repeated as markup or as a header. */
function faultOf({ status, headers, body }: Answer): string | undefined {
  const isShed = status === 503 && headers["retry-after"] !== undefined;
  if (status >= 500 && !isShed) return String(status);
  if (String(headers["content-type"]).includes("html") && markup.test(body)) return "reflected in the page";
  const isReflected = Object.entries(headers).some(
    ([name, value]) => name.includes(marker) || String(value).includes(`<${marker}`),
  );
  return isReflected ? "reflected in a header" : undefined;
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
