import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { cpuTimeOf } from "../bench/process-figures.ts";
import { atLeast, atMost, type Figure, none, type Proof, scaled, type Trial } from "../faults/proof.ts";
import { type Replica, startReplica } from "../support/start-process.ts";
import { json, startStub } from "../support/start-stub.ts";
import { siteOf, sites } from "../support/test-app.ts";
import { bombs, changedContent, contentOf } from "./hostile-content.ts";
import { sendRequest } from "./send-request.ts";

const atOnce = 2;
const refusedPublicly = "content refused, the last one stays";
const refusedInPreview = "previewed content refused";

export const hostileContents: Proof = {
  name: "hostile contents",
  does: "A content service gives each site another of nine bombs, and staff who preview contents that were changed at random. The footers are read over a socket, while health checks go on; then the service starts with the bombs, and gets SIGTERM.",
  async run(trial) {
    const figures = await attackRunning(trial);
    return [...figures, ...(await startWithBombs())];
  },
};

/** Serves contents to everybody and, by the number in their cookie, drafts to staff. */
async function startContents() {
  const contents = new Map<string, string>();
  const drafts = new Map<string, string>();
  const polls = new Map<string, number>();
  /** How often each draft was asked for. */
  const asked = new Map<number, number>();
  const waiting: { least: number; resolve: () => void }[] = [];
  const stub = await startStub((call, response) => {
    const { url = "", headers } = call;
    if (url.includes("checkauth"))
      return json('{"status":"SUCCESS","dateTime":"2027-01-01T00:00:00Z"}')(call, response);
    const site = url.split("/").at(-1) ?? "";
    const [, draft] = /PreviewContext=(\d+)/.exec(headers.cookie ?? "") ?? [];
    json((draft === undefined ? contents.get(site) : drafts.get(draft)) ?? "")(call, response);
    if (draft !== undefined) {
      asked.set(Number(draft), (asked.get(Number(draft)) ?? 0) + 1);
      return;
    }
    polls.set(site, (polls.get(site) ?? 0) + 1);
    const least = Math.min(...sites.map((one) => polls.get(one.site) ?? 0));
    for (const waiter of waiting) if (least >= waiter.least) waiter.resolve();
  });
  return {
    origin: stub.origin,
    contents,
    drafts,
    asked: (draft: number) => asked.get(draft) ?? 0,
    /** Resolves once every site was polled that many more times. */
    polled(times: number) {
      const most = Math.max(0, ...polls.values());
      return new Promise<void>((resolve) => waiting.push({ least: most + times, resolve }));
    },
  };
}

async function attackRunning(trial: Trial): Promise<Figure[]> {
  const { origin, contents, drafts, asked, polled } = await startContents();
  for (const { site } of sites) contents.set(site, contentOf(site, `good ${site}`));
  const service = await startReplica({ UPSTREAM_CONTENT_URL: origin, UPSTREAM_PREVIEW_URL: origin });
  const health = watch(service);
  setBombs(contents);
  const bombed = polled(2);

  const count = scaled(10_000, trial);
  const changes = fc.sample(changedContent, { seed: trial.seed, numRuns: count });
  const queue = changes.entries();
  const faults: string[] = [];
  let shown = 0;
  const work = async () => {
    for (const [index, change] of queue) {
      drafts.set(String(index), change(siteOf("DE"), `draft ${index}`));
      const draft = await readSettled(service, index, asked);
      if (draft.isShown) shown += 1;
      if (draft.fault) faults.push(`${draft.fault}: ${drafts.get(String(index))?.slice(0, 2_000)}`);
      drafts.delete(String(index));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await bombed;

  const ofBombs = await readAll(service, (site) => `good ${site}`);
  const slowest = await health.end();
  const timeToEnd = await end(service);
  // The last lines are written by the end.
  const lines = loggedBy(service);
  const named = lines.filter(({ msg }) => msg === refusedPublicly).map(({ site }) => String(site));
  const inPreview = lines.filter(({ msg }) => msg === refusedInPreview).length;
  return [
    atLeast("bombs named", new Set(named).size, bombs.length),
    none(
      "bombs named twice",
      named.filter((site, index) => named.indexOf(site) !== index),
    ),
    none("footers with bombs", ofBombs),
    atLeast("drafts shown", shown, count / 20),
    atLeast("drafts refused", count - shown, count / 4),
    none("drafts refused, but not named once", inPreview === count - shown ? [] : [`${inPreview} lines`]),
    none("broken footers", faults),
    atMost("slowest health check", slowest / second, 1, "s"),
    atMost("time to end at SIGTERM", timeToEnd / second, 10, "s"),
  ];
}

/** Starts the service while every content is a bomb. It must show the built-in content. */
async function startWithBombs(): Promise<Figure[]> {
  const { origin, contents } = await startContents();
  setBombs(contents);
  const began = performance.now();
  const service = await startReplica({ UPSTREAM_CONTENT_URL: origin });
  const started = performance.now() - began;
  const health = watch(service);
  const footers = await readAll(service, () => "");
  return [
    atMost("start with bombs", started / second, 20, "s"),
    none("start with bombs: broken footers", footers),
    atMost("start with bombs: slowest health check", (await health.end()) / second, 1, "s"),
    atMost("start with bombs: time to end at SIGTERM", (await end(service)) / second, 10, "s"),
  ];
}

function setBombs(contents: Map<string, string>) {
  for (const [index, { site }] of sites.entries()) contents.set(site, bombs[index]?.(siteOf(site), "bomb") ?? "");
}

/**
 * Reads the footer with a draft until two answers in a row are alike for which the draft was asked for: on a busy
 * machine, a call may end at its deadline, and after five of these the service asks for nothing for five seconds.
 */
async function readSettled(
  service: Replica,
  index: number,
  asked: (draft: number) => number,
): Promise<{ isShown: boolean; fault?: string | undefined }> {
  let last: string | undefined;
  for (let left = 100; left > 0; left--) {
    const before = asked(index);
    const body = await readFooter(service, "DE", index);
    const isWhole = body.includes("data-preview-context");
    if (asked(index) === before) {
      last = undefined;
      await pause(second / 10);
      continue;
    }
    if (isWhole && body === last) {
      const isShown = body.includes(`>draft ${index}</h2>`);
      return { isShown, fault: faultOf(body) ?? (isShown || body.includes(">good DE</h2>") ? undefined : "neither") };
    }
    last = isWhole ? body : undefined;
  }
  return { isShown: false, fault: "no two answers alike" };
}

async function readFooter({ port }: Replica, site: string, draft?: number): Promise<string> {
  const cookie = `StaffAuthToken=x; CobraAuthToken=x; PreviewContext=${draft}`;
  const headers = { Host: "shop.localhost", ...(draft !== undefined && { Cookie: cookie }) };
  const answer = await sendRequest(port, { method: "GET", path: `/fragments/footer/${site}`, headers });
  return answer?.status === 200 && answer.headers["x-fragment-state"] === "fresh" ? answer.body : "";
}

/**
 * Reads the footers of all sites.
 * @returns what is wrong with them, including a wrong headline
 */
async function readAll(service: Replica, headlineOf: (site: string) => string): Promise<string[]> {
  const bodies = await Promise.all(sites.map(async ({ site }) => ({ site, body: await readFooter(service, site) })));
  return bodies.flatMap(({ site, body }) => {
    const isOther = body.includes("bomb") || !body.includes(headlineOf(site));
    const fault = faultOf(body) ?? (isOther ? "another content" : undefined);
    return fault ? [`${site}: ${fault}`] : [];
  });
}

function faultOf(body: string): string | undefined {
  if (!body.startsWith("<footer") || !body.endsWith("</footer>")) return "not whole";
  if (body.length > 300_000) return "too long";
  const [shown] = /.{0,60}(?:\{\{|\}\}|\$t\(|[\0\uFFFD]).{0,20}/.exec(body) ?? [];
  return shown === undefined ? undefined : `shows a placeholder or a broken letter: ${JSON.stringify(shown)}`;
}

/**
 * Requests the health check until `end` is called, which returns the longest time of a check: by the clock, or by the
 * service's processor time if that is less, because a busy machine delays it. If a check hangs, both are long.
 */
function watch(service: Replica) {
  const { pid = 0 } = service;
  let slowest = 0;
  let isWatched = true;
  const watching = (async () => {
    while (isWatched) {
      const [began, used] = [performance.now(), cpuTimeOf(pid)];
      const isReady = await service.isReady();
      const duration = Math.min(performance.now() - began, cpuTimeOf(pid) - used);
      slowest = isReady ? Math.max(slowest, duration) : Infinity;
      await pause(50);
    }
  })();
  return {
    async end() {
      isWatched = false;
      await watching;
      return slowest;
    },
  };
}

/** Ends the service by SIGTERM, at the latest after half a minute. Returns how long that took. */
async function end(service: Replica): Promise<Milliseconds> {
  const began = performance.now();
  service.signal("SIGTERM");
  const ended = await Promise.race([service.ended.then(() => true), pause(30 * second, false, { ref: false })]);
  if (!ended) await service.kill();
  return performance.now() - began;
}

function loggedBy(service: Replica): Record<string, unknown>[] {
  return service
    .stdout()
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
}
