import { Agent, request as httpRequest, METHODS } from "node:http";
import type { Express } from "express";
import request from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Readiness } from "../../../server/platform/lifecycle.ts";
import { createMetrics } from "../../../server/platform/metrics.ts";
import { createOpsApp } from "../../../server/process/ops-app.ts";
import { serve } from "../../support/start-stub.ts";
import { createTestApp, type TestApp } from "../../support/test-app.ts";

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** The samples that /metrics shows operators. */
async function scrape({ deps }: Pick<TestApp, "deps">): Promise<Sample[]> {
  const { text } = await request(createOpsApp(deps)).get("/metrics").expect(200);
  return text.split("\n").flatMap((line) => {
    const [, name, labels = "", value] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = "", text = ""]) => [key, text]);
    return name ? [{ name, labels: Object.fromEntries(pairs), value: Number(value) }] : [];
  });
}

const named = (samples: Sample[], name: string) => samples.filter((sample) => sample.name === name);
const requestCounts = "http_server_request_duration_seconds_count";

/** Sends requests with any method over a few kept connections. */
async function sender(app: Express) {
  const port = await serve(app);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  onTestFinished(() => agent.destroy());
  return (method: string, path: string, host = "de.localhost") =>
    new Promise<number>((resolve, reject) => {
      const sent = httpRequest(
        { port, host: "127.0.0.1", agent, method, path, headers: { Host: host } },
        (response) => {
          response.resume().once("end", () => resolve(response.statusCode ?? 0));
        },
      );
      sent.once("error", reject).end();
    });
}

describe("/metrics", () => {
  it("says whether the service accepts requests", async () => {
    const { deps } = await createTestApp();
    const ready = async (state: Readiness["state"]) => {
      const samples = await scrape({ deps: { ...deps, metrics: createMetrics({ state }) } });
      return named(samples, "service_ready").map(({ value }) => value);
    };
    expect([await ready("starting"), await ready("ready"), await ready("draining")]).toEqual([[0], [1], [0]]);
  });

  it("is Prometheus text, and its port has nothing but metrics and health", async () => {
    const { deps } = await createTestApp();
    const ops = createOpsApp(deps);
    const { headers } = await request(ops).get("/metrics").expect(200);
    expect(headers["content-type"]).toMatch(/^text\/plain; (?=.*version=0\.0\.4)(?=.*charset=utf-8)/);
    expect(headers).not.toHaveProperty("x-powered-by");
    for (const path of ["/", "/fragments/footer?site=DE", "/assets/manifest.json"])
      await request(ops).get(path).expect(404);
  });
});

describe("the metrics", () => {
  it("count every response by method, route template and status", async () => {
    const service = await createTestApp({ demo: true });
    const send = await sender(service.app);
    await send("GET", "/fragments/footer?site=DE");
    await send("GET", "/fragments/footer/AT");
    await send("HEAD", "/fragments/footer?site=DE");
    await send("GET", "/fragments/footer?site=XX");
    await send("GET", "/");
    await send("GET", "/nowhere");
    await send("GET", "/nowhere/else");
    const other = await send("PROPFIND", "/nowhere");
    const route = "/fragments/:name{/:site}";
    const wanted = [
      ["GET", route, "200", 2],
      ["HEAD", route, "200", 1],
      ["GET", route, "400", 1],
      ["GET", "/", "200", 1],
      ["GET", "unmatched", "404", 2],
      ["_OTHER", "unmatched", String(other), 1],
    ];
    const counted = async () =>
      named(await scrape(service), requestCounts).map(({ labels, value }) => [
        labels.http_request_method,
        labels.http_route,
        labels.http_response_status_code,
        value,
      ]);
    await expect.poll(counted).toEqual(expect.arrayContaining(wanted));
    expect(await counted()).toHaveLength(wanted.length);
  });

  it("get no series from random paths, hosts, parameters and methods", async () => {
    const service = await createTestApp({ demo: true });
    const send = await sender(service.app);
    const methods = METHODS.filter((method) => method !== "CONNECT");
    let drawn = 0;
    const random = () => `r${(drawn++).toString(36)}${Math.random().toString(36).slice(2)}`;
    const targets = [
      () => `/${random()}`,
      () => `/${random()}/${random()}?${random()}=${random()}`,
      () => `/fragments/${random()}?site=DE`,
      () => `/fragments/footer?site=${random()}`,
      () => `/fragments/footer/${random()}`,
      () => `/fragments/footer/DE/${random()}`,
      () => `/fragments/footer?site=DE&${random()}=${random()}&platform=CLASSIC`,
      () => `/fragments/${random()}/manifest.json`,
      () => `/assets/${random()}.js`,
      () => `/?site=${random()}`,
    ];
    let sent = 0;
    const seriesAfter = async (count: number) => {
      const requests = Array.from({ length: count }, (_, i) => {
        const target = targets[i % targets.length] ?? random;
        return send(methods[Math.floor(i / targets.length) % methods.length] ?? "GET", target(), `${random()}.example`);
      });
      for (const status of await Promise.all(requests)) expect(status).toBeLessThan(500);
      sent += count;
      const counted = async () =>
        named(await scrape(service), requestCounts).reduce((sum, { value }) => sum + value, 0);
      // A page may call the service itself.
      await expect.poll(counted).toBeGreaterThanOrEqual(sent);
      // Node's own metrics grow by themselves: a kind of garbage collection appears when it first happens.
      const ours = (await scrape(service)).filter(({ name }) => !/^(nodejs|process)_/.test(name));
      return ours.map(({ name, labels }) => `${name} ${JSON.stringify(labels)}`).sort();
    };

    const first = await seriesAfter(targets.length * methods.length);
    const second = await seriesAfter(1_000);
    expect(second).toEqual(first);
    expect(JSON.stringify(second)).not.toMatch(/"r[\da-z]{8,}/);
  });
});
