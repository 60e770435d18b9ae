import { setTimeout as pause } from "node:timers/promises";
import autocannon from "autocannon";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { atLeast, atMost, type Proof, scaled } from "./proof.ts";
import { askStatus, host, startOnOneProcessor } from "./start-on-one-processor.ts";
import { askFooter, type Footers } from "./visitors.ts";

interface LoadFigures {
  /** Answers of 200 in a second. */
  answered: number;
  /** Answers of 200 in a second of the service's processor time, which other work on the machine changes least. */
  answeredPerCpuSecond: number;
  /** Resident memory of the service after the load, in bytes. */
  memory: number;
}

const pages = [{ path: "/" }];
/** A page that is rendered for each visitor. */
const dynamic = [{ path: "/newsletter/confirm?token=unknown" }];
/** In turns. Each connection begins with the first one, and may not get beyond the sixth. */
const mix = [
  ...["/fragments/footer?site=DE", "/", "/fragments/footer?site=AT", "/login", "/fragments/footer?site=CH"],
  ...["/fragments/footer?site=CH_FR", "/newsletter/confirm", "/fragments/footer?site=PL", "/preview"],
  "/fragments/footer?site=CZ",
].map((path) => ({ path }));
const connections = 400;
/** Pause between two footers. */
const footerPace: Milliseconds = 20;

export const overload: Proof = {
  name: "overload",
  does: "Asks the service for one, two and five times as much as it can do, over 400 connections. The service rejects the excess at once, and answers the rest as fast as before; it rejects cached footers last.",
  isLong: true,
  async run(trial) {
    const { service, url, metrics } = await startOnOneProcessor();
    const seconds = scaled(10, trial, 2);
    const load = (requests: autocannon.Request[], perSecond?: number) =>
      measure({ url, metrics, requests, perSecond, seconds });
    // The first requests compile and fill caches.
    await load(mix);
    const figures = [];
    for (const [kind, requests] of Object.entries({ mix, pages })) {
      const capacity = await load(requests);
      const reached: LoadFigures[] = [];
      for (const factor of [1, 2, 5]) reached.push(await load(requests, factor * capacity.answered));
      const perCpuSecond = reached.map(({ answeredPerCpuSecond }) => answeredPerCpuSecond);
      const goodput = (perCpuSecond.at(-1) ?? 0) / Math.max(...perCpuSecond);
      const growth = (reached.at(-1)?.memory ?? 0) / capacity.memory;
      figures.push(
        atLeast(`${kind}: answers in a processor's second at five times the capacity, beside the most`, goodput, 0.9),
        atMost(`${kind}: time until nothing is refused any more`, (await untilNormal(url)) / second, 5, "s"),
        atMost(`${kind}: memory after the last load, beside the first`, growth, 1.2),
      );
    }
    let isOver = false;
    const footers: Footers = { asked: 0, failed: [] };
    const storm = load(dynamic).finally(() => {
      isOver = true;
    });
    for (; !isOver; await pause(footerPace)) await askFooter(Number(new URL(url).port), footers);
    await storm;
    const share = 1 - footers.failed.length / footers.asked;
    figures.push(
      atLeast("dynamic: cached footers meanwhile", footers.asked, 20),
      atLeast("dynamic: share of them that are answered", share, 0.99),
    );
    service.signal("SIGKILL");
    await service.ended;
    return figures;
  },
};

interface LoadOptions {
  url: string;
  metrics: () => Promise<{ bytes: number; cpuSeconds: number }>;
  requests: autocannon.Request[];
  perSecond: number | undefined;
  seconds: number;
}

async function measure({ url, metrics, requests, perSecond, seconds }: LoadOptions): Promise<LoadFigures> {
  const before = await metrics();
  const result = await autocannon({
    url,
    requests,
    connections,
    duration: seconds,
    workers: 1,
    headers: { host },
    ...(perSecond && { overallRate: Math.ceil(perSecond) }),
  });
  const after = await metrics();
  const answered = result.statusCodeStats?.["200"]?.count ?? 0;
  return {
    answered: answered / result.duration,
    answeredPerCpuSecond: answered / (after.cpuSeconds - before.cpuSeconds),
    memory: after.bytes,
  };
}

/** Waits until ten consecutive requests of the class that is rejected first are answered, for at most 30 seconds. */
async function untilNormal(url: string): Promise<Milliseconds> {
  const started = performance.now();
  for (let answered = 0; answered < 10 && performance.now() - started < 30 * second; )
    answered = (await askStatus(`${url}/preview`)) === 200 ? answered + 1 : 0;
  return Math.round(performance.now() - started);
}
