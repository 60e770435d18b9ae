import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { buffer } from "node:stream/consumers";
import { Counter, Registry } from "prom-client";
import request from "supertest";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readEnv } from "../../../server/config/env.ts";
import { exportMetrics } from "../../../server/process/export-metrics.ts";
import { decodeMetrics, linesOf } from "../../support/decode-otlp.ts";
import { hang, startStub, status } from "../../support/start-stub.ts";
import { createTestApp } from "../../support/test-app.ts";
import { createTestLog } from "../../support/test-log.ts";

interface Message {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const footer = "/fragments/footer/DE";
/** For a busy machine. */
const patience = { timeout: 15_000 };

/** A collector and the messages it has received. */
async function startCollector() {
  const messages: Message[] = [];
  const stub = await startStub(async (received, response) => {
    messages.push({ url: received.url, headers: received.headers, body: await buffer(received) });
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  const decoded = () => messages.map(({ body, headers }) => decodeMetrics(body, headers["content-type"]));
  return { stub, origin: stub.origin, messages, decoded };
}

/** Exports metrics as the variables say. Closing it sends the last ones. */
function startExport(registry: Registry, variables: Record<string, string>, interval?: number) {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { metricsExport } = readEnv(variables);
  if (!metricsExport) throw new Error("these variables configure no collector");
  const { logger, lines } = createTestLog();
  const often = interval === undefined ? {} : { interval, timeout: interval };
  return { ...exportMetrics({ ...metricsExport, ...often }, registry, "c0ffee", logger), lines };
}

function createRegistry(): Registry {
  const registry = new Registry();
  new Counter({ name: "answers_total", help: "Answers", registers: [registry] }).inc(3);
  return registry;
}

/** Node's own metrics change from one look to the next. */
const isOurs = (line: string) => !/^(#|nodejs_|process_|$)/.test(line);
/** Labels may come in any order. */
const normalize = (line: string) => line.replace(/\{(.*)\}/, (_, labels) => `{${labels.split(",").sort().join(",")}}`);

describe("metrics by OTLP", () => {
  it.each(["http/protobuf", "http/json"])("have the names, labels and values of /metrics: %s", async (protocol) => {
    const collector = await startCollector();
    const { listener: app, deps } = await createTestApp();
    const { registry } = deps.metrics;
    const { close } = startExport(registry, {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    });
    for (const path of [footer, footer, "/fragments/footer?site=XX", "/service/newsletter/api/unknown"])
      await request(app).get(path);
    await expect.poll(() => registry.metrics()).toMatch(/http_server_request_duration_seconds_count\{.*404.*\} 1/);
    const shown = (await registry.metrics()).split("\n");
    await close();

    const [received, ...others] = collector.decoded();
    expect(others).toEqual([]);
    const { metrics = [] } = received ?? {};
    const sent = linesOf(metrics);
    expect(sent.filter(isOurs).map(normalize).sort()).toEqual(shown.filter(isOurs).map(normalize).sort());
    expect(sent).toContain('fragment_responses_total{fragment="footer",site="DE",state="fresh",cache="hit"} 1');
    const types = shown.flatMap((line) => [...line.matchAll(/^# TYPE (\w+) (\w+)$/g)]);
    const kinds = { counter: "sum", gauge: "gauge", histogram: "histogram" };
    expect(metrics.map(({ name, kind }) => [name, kind])).toEqual(
      types.map(([, name, type]) => [name, kinds[type as keyof typeof kinds]]),
    );
  });

  it("go to the endpoint and with the headers and attributes that the environment names", async () => {
    const collector = await startCollector();
    const { close } = startExport(createRegistry(), {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1",
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.origin}/metrics`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-team=other",
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: "x-team=shop",
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/json",
      OTEL_SERVICE_NAME: "shop-fragments",
      OTEL_RESOURCE_ATTRIBUTES: "team=shop",
    });
    await close();
    expect(collector.messages).toMatchObject([
      { url: "/metrics", headers: { "x-team": "shop", "content-type": "application/json" } },
    ]);
    const attributes = { "service.name": "shop-fragments", "service.version": "c0ffee", team: "shop" };
    expect(collector.decoded()[0]?.resource).toMatchObject(attributes);
  });

  it("are sent at intervals", async () => {
    const collector = await startCollector();
    const { close } = startExport(createRegistry(), { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin }, 20);
    await expect.poll(() => collector.messages.length).toBeGreaterThan(1);
    await close();
    for (const { metrics } of collector.decoded()) expect(linesOf(metrics)).toEqual(["answers_total 3"]);
  });
});

describe("a collector that is down", () => {
  const refuse: RequestListener = (received) => received.socket.resetAndDestroy();
  it.each([
    ["hangs", hang, "300", /^Request time/i],
    ["answers 500", status(500), "10000", /^status 500$/],
    ["refuses", refuse, "300", /^no answer \(ECONNRESET\)$|^Request time/i],
  ])("and %s is logged once, and when it is up again, and delays no answer", async (_, fault, limit, reason) => {
    const collector = await startCollector();
    const { answer } = collector.stub;
    collector.stub.answer = fault;
    const { listener: app, deps } = await createTestApp();
    const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin, OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: limit };
    const { close, lines } = startExport(deps.metrics.registry, variables, 200);
    await expect.poll(() => lines, patience).toHaveLength(1);
    await expect.poll(() => collector.stub.requests.length, patience).toBeGreaterThan(2);
    await request(app).get(footer).expect(200);
    collector.stub.answer = answer;
    await expect.poll(() => lines, patience).toHaveLength(2);
    await close();
    expect(lines).toEqual([
      expect.objectContaining({ level: 40, reason: expect.stringMatching(reason), msg: "metrics export failed" }),
      expect.objectContaining({ level: 30, failures: expect.any(Number), msg: "metrics export recovered" }),
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret");
    expect(linesOf(collector.decoded().at(-1)?.metrics ?? [])).toContain("service_ready 0");
  });
});
