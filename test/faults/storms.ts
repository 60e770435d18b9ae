import { request as ask, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import autocannon from "autocannon";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { atLeast, atMost, type Figure, none, type Proof, scaled } from "./proof.ts";
import { waitedForProcessor } from "./scheduler-times.ts";
import { host, startOnOneProcessor } from "./start-on-one-processor.ts";
import { listStormAddresses, type StormAddress } from "./storm-addresses.ts";

const connections = 200;
/** Pause between two requests of a victim. */
const pace: Milliseconds = 100;
/** A victim waits no longer. */
const patience: Milliseconds = 30 * second;

/** The concurrent requests of visitors and of Kubernetes, each on a connection of its own. */
const victims = { health: "/livez", footer: "/fragments/footer/DE", data: "/fragments/footer/DE.json" };
type Victim = keyof typeof victims;

interface Answered {
  isWhole: boolean;
  /** Excludes the time in which other programs had the processor of the service, or of this process. */
  duration: Milliseconds;
}

export const storms: Proof = {
  name: "storms",
  does: "Floods every kind of address over 200 connections, known and made up, and asks for health, a cached footer and its JSON meanwhile.",
  async run(trial) {
    const { service, url, port } = await startOnOneProcessor({ OVERVIEW: "on" });
    const get = (path: string) => askOnce(port, path);
    const [built] = JSON.parse(String((await get("/assets/inventory.json"))?.body));
    const { addresses, without, gone } = await listStormAddresses(built.file);
    const whole = new Map<string, Buffer>();
    for (const path of [...Object.values(victims), ...addresses.filter(isKnown).map((address) => address.path)])
      for (let time = 0; time < 3; time++) whole.set(path, (await get(path))?.body ?? Buffer.alloc(0));

    // The short form floods all addresses of a kind in a folder at once, the long one each by itself.
    const nameOf = ({ kind, path }: StormAddress) => (trial.scale < 1 ? `${kind} ${folderOf(path)}` : path);
    const groups = Map.groupBy(addresses, nameOf);
    const figures: Figure[] = [none("routes without a storm", without), none("storms without a route", gone)];
    for (const [name, group] of groups) {
      const { health, footer, data, flooded } = await storm(group);
      const durations = health.map(({ duration }) => duration).toSorted((a, b) => a - b);
      const p99 = durations[Math.floor(durations.length * 0.99)] ?? Infinity;
      figures.push(
        atLeast(`${name}: answers to the flood`, flooded, 20),
        atLeast(`${name}: health checks`, health.length, 5),
        atMost(`${name}: 99 % of them are answered within`, p99 / second, 1, "s"),
        none(
          `${name}: health checks without an answer`,
          health.filter(({ isWhole }) => !isWhole).map(() => "none"),
        ),
        atLeast(`${name}: share of cached footers`, shareOf(footer), 0.99),
        atLeast(`${name}: share of their JSON`, shareOf(data), 0.99),
      );
    }
    service.signal("SIGKILL");
    await service.ended;
    return figures;

    async function storm(group: readonly StormAddress[]) {
      const seconds = scaled(4, trial, 2);
      let isOver = false;
      const requests = group.map(({ path }) => ({ path }));
      const headers = { host, accept: "text/html" };
      const options = { url, requests, connections, headers, duration: seconds, workers: 1, idReplacement: true };
      const flood = async () => {
        const result = await autocannon(options);
        isOver = true;
        return result.requests.total;
      };
      const flooded = flood();
      const open: Promise<[Victim, Answered]>[] = [];
      for (; !isOver; await pause(pace))
        for (const [victim, path] of Object.entries(victims) as [Victim, string][])
          open.push(askVictim(victim, path).then((answered) => [victim, answered]));
      const answers: Record<Victim, Answered[]> = { health: [], footer: [], data: [] };
      for (const [victim, answered] of await Promise.all(open)) answers[victim].push(answered);
      return { ...answers, flooded: await flooded };
    }

    async function askVictim(victim: Victim, path: string): Promise<Answered> {
      const threads = [`${service.pid}`, "thread-self"];
      const before = threads.map((thread) => waitedForProcessor(thread) ?? 0);
      const startedAt = performance.now();
      const answer = await get(path);
      // Both may have waited at the same time.
      const waited = Math.max(
        ...threads.map((thread, index) => (waitedForProcessor(thread) ?? 0) - (before[index] ?? 0)),
      );
      const duration = performance.now() - startedAt - waited;
      const isWhole =
        answer?.status === 200 && (victim === "health" || answer.body.equals(whole.get(path) ?? Buffer.alloc(0)));
      return { isWhole, duration };
    }
  },
};

const folderOf = (path: string) => /^\/(?:assets|fragments|service)(?=\/)/.exec(path)?.[0] ?? "pages";
const isKnown = ({ kind }: StormAddress) => kind === "known";
const shareOf = (answers: readonly Answered[]) => answers.filter(({ isWhole }) => isWhole).length / answers.length;

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** @returns undefined if there is no whole answer in time */
function askOnce(port: number, path: string): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(patience);
    ask({ port, path, host: "127.0.0.1", agent: false, signal, headers: { host } }, (response) => {
      const { statusCode: status, headers } = response;
      buffer(response).then(
        (body) => resolve({ status, headers, body }),
        () => resolve(undefined),
      );
    })
      .on("error", () => resolve(undefined))
      .end();
  });
}
