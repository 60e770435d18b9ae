import type { IncomingMessage, ServerResponse } from "node:http";
import request from "supertest";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Promotion } from "../../../../schemas/types.ts";
import { createPurgeChecks } from "../../../../server/features/edge-purges/check-purges.ts";
import { createVarnish } from "../../../../server/features/edge-purges/forms/varnish.ts";
import { createMetrics } from "../../../../server/platform/metrics.ts";
import { openPurgeBench, settleTime } from "../../../support/purge-bench.ts";
import { serve, startStub } from "../../../support/start-stub.ts";
import { createTestApp, siteOf } from "../../../support/test-app.ts";
import { createTestLog } from "../../../support/test-log.ts";

let promotion: Promotion | undefined;
const { listener, service, context } = await createTestApp({
  promotions: { current: () => promotion, nextChange: () => Number.POSITIVE_INFINITY },
});

/** What a cache does with its copies when it accepts a purge. */
type Behaviour = "keeps them" | "drops them" | "makes them stale";

interface Copy {
  etag: string;
  body: string;
  isStale: boolean;
}

/** Starts a cache in front of the service, which accepts every purge. */
async function startCache(first: Behaviour, mark = (etag: string) => etag) {
  let behaviour = first;
  const service = `http://127.0.0.1:${await serve(listener)}`;
  const copies = new Map<string, Copy>();
  const load = async (url: string) => {
    const { headers, text } = await request(service).get(url);
    const copy = { etag: String(headers.etag), body: text, isStale: false };
    copies.set(url, copy);
    return copy;
  };
  const stub = await startStub(async ({ method, url = "" }: IncomingMessage, response: ServerResponse) => {
    if (method === "PURGE") {
      if (behaviour === "drops them") copies.clear();
      if (behaviour === "makes them stale") for (const copy of copies.values()) copy.isStale = true;
      return response.writeHead(204).end();
    }
    const known = copies.get(url);
    const { etag, body } = known ?? (await load(url));
    if (known?.isStale) await load(url);
    response.writeHead(200, { ETag: mark(etag), "Content-Type": "text/html; charset=utf-8" }).end(body);
  });
  const behave = (next: Behaviour) => {
    behaviour = next;
  };
  return Object.assign(stub, { behave });
}

function change() {
  promotion = { headline: `Change ${Math.random()}`, text: "New", link: { url: "/sale", text: "Sale" } };
}

/** A service behind a cache, with a changed promotion of which the cache has an old copy. */
async function openBench(cache: { origin: string }, pauses = [0, 20, 20]) {
  promotion = undefined;
  const ofCache = { ...siteOf("DE"), origin: cache.origin };
  const { logger, lines } = createTestLog();
  const metrics = createMetrics();
  const countries = { ...context.countries, get: (code: string) => (code === "DE" ? ofCache : undefined) };
  const siteResolver = { ...context.siteOf, default: ofCache };
  const parts = { countries, logger, metrics, siteOf: siteResolver };
  const checks = createPurgeChecks(parts, service.fragments.etagOf, pauses);
  onTestFinished(() => checks.close());
  const bench = await openPurgeBench(() => createVarnish(cache.origin), { onAccepted: checks.begin });
  const outcomes = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await metrics.purgeChecks.get()).values.map(({ labels, value }) => [labels.outcome, value]));
  /** Changes the promotion, purges, and returns how the check ends. */
  const purge = async (tag = "country-DE") => {
    const before = await outcomes();
    change();
    await bench.first.purge(tag);
    await bench.pass(settleTime);
    const ended = async () => Object.entries(await outcomes()).find(([name, value]) => value > (before[name] ?? 0));
    return vi.waitUntil(async () => (await ended())?.[0], { timeout: 20_000, interval: 5 });
  };
  return { purge, warnings: () => lines, checks, outcomes };
}

const footer = "/fragments/footer/DE";

it("a cache that accepts a purge and keeps its copy is a warning that names the site, until it drops one", async () => {
  const keeping = await startCache("keeps them");
  await request(keeping.origin).get(footer);
  const { purge, warnings } = await openBench(keeping);
  expect(await purge()).toBe("kept");
  expect(await purge("fragment-footer")).toBe("kept");
  const down = "edge purge accepted, but shoppers don't get what is new";
  expect(warnings()).toEqual([
    expect.objectContaining({ level: 40, msg: down, site: "DE", reason: "the old copy, 3 times" }),
  ]);
  expect(JSON.stringify(warnings())).not.toContain("127.0.0.1");
  keeping.behave("drops them");
  expect(await purge()).toBe("shown");
  keeping.behave("keeps them");
  expect(await purge(), "the copy that was right before").toBe("kept");
  expect(warnings().slice(1)).toEqual([
    expect.objectContaining({ msg: "edge purges have an effect again", site: "DE" }),
  ]);
});

describe("no warning follows a purge", () => {
  it.each<[string, Behaviour, ((etag: string) => string)?]>([
    ["of a cache that drops its copy", "drops them"],
    ["of a cache that shows the old copy once more", "makes them stale"],
    ["of a cache that compresses", "drops them", (etag) => `W/${etag.replace(/"$/, '-gzip"')}`],
  ])("%s", async (_what, behaviour, mark) => {
    const cache = await startCache(behaviour, mark);
    await request(cache.origin).get(footer);
    const { purge, warnings } = await openBench(cache);
    expect(await purge()).toBe("shown");
    expect(warnings()).toEqual([]);
  });

  it("of a cache whose new copy has been replaced by the time that it is shown", async () => {
    const cache = await startCache("makes them stale");
    await request(cache.origin).get(footer);
    const { purge, warnings } = await openBench(cache);
    const { answer } = cache;
    cache.answer = (call, response) => {
      const gets = cache.requests.filter(({ method }) => method === "GET");
      if (gets.length === 3) change();
      answer(call, response);
    };
    expect(await purge()).toBe("shown");
    expect(warnings()).toEqual([]);
  });

  it("of images, which have another address when they change", async () => {
    const cache = await startCache("keeps them");
    const { checks, outcomes } = await openBench(cache);
    checks.begin(["images"]);
    expect(cache.requests).toEqual([]);
    expect(await outcomes()).toEqual({ shown: 0, kept: 0, unanswered: 0 });
  });
});

it.each([
  ["status 404", 404, {}],
  ["an answer without ETag", 200, { "Content-Type": "text/html" }],
])("a site's origin without the footer is a warning: %s", async (reason, status, headers) => {
  const cache = await startStub(({ method }, response) => {
    response.writeHead(method === "PURGE" ? 204 : status, headers).end("<h1>Shop</h1>");
  });
  const { purge, warnings } = await openBench(cache);
  expect(await purge()).toBe("unanswered");
  expect(warnings()).toEqual([expect.objectContaining({ level: 40, site: "DE", reason })]);
  expect(cache.requests.filter(({ method }) => method === "GET").map(({ url }) => url)).toEqual(Array(3).fill(footer));
});

it("a later check of an address replaces an earlier one", async () => {
  const cache = await startCache("keeps them");
  await request(cache.origin).get(footer);
  const { checks, outcomes } = await openBench(cache, [200]);
  change();
  for (let purges = 0; purges < 3; purges++) checks.begin(["country-DE"]);
  await vi.waitUntil(async () => (await outcomes()).kept, { timeout: 20_000 });
  await checks.close();
  expect(await outcomes()).toEqual({ shown: 0, kept: 1, unanswered: 0 });
  expect(cache.requests).toHaveLength(2);
});

it("a check ends with the service", async () => {
  const cache = await startCache("keeps them");
  await request(cache.origin).get(footer);
  const { checks, outcomes } = await openBench(cache, [0, 3_600_000]);
  change();
  checks.begin(["country-DE"]);
  await vi.waitUntil(() => cache.requests.length > 1);
  await checks.close();
  expect(await outcomes()).toEqual({ shown: 0, kept: 0, unanswered: 0 });
});
