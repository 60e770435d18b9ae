import type { IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { ROOT_CONTEXT, trace } from "@opentelemetry/api";
import request from "supertest";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { readEnv } from "../../../server/config/env.ts";
import { extractTrace, startSpan } from "../../../server/platform/request-context.ts";
import { exportTraces } from "../../../server/process/export-traces.ts";
import { answerRightly } from "../../support/answer-rightly.ts";
import { hang, startStub, status } from "../../support/start-stub.ts";
import { createTestApp } from "../../support/test-app.ts";
import { createTestLog } from "../../support/test-log.ts";

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

/** A span in OTLP's JSON. */
interface SentSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  flags: number;
  attributes: Attribute[];
  status: { code: number };
}

interface Message {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const [internal, server, client] = [1, 2, 3];
const [unset, failed] = [0, 2];
/** Flags of a remote and of a local parent. */
const [isRemote, isOwn] = [0x301, 0x101];
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const edgeSpan = "00f067aa0ba902b7";
const fromEdge = { traceparent: `00-${traceId}-${edgeSpan}-01`, tracestate: "vendor=1" };
const promotion = "/service/promotion/api/promotion/SHOP_FOOTER";
const footer = "/fragments/footer/DE";
const fromPage = { "X-hunter-csrf": "1", "Sec-Fetch-Site": "same-origin" };
/** The number of spans that is sent at once, without waiting for more. */
const batch = 512;

/** A collector and the messages it has received. */
async function startCollector() {
  const messages: Message[] = [];
  const stub = await startStub(async (received, response) => {
    messages.push({ url: received.url, headers: received.headers, body: await buffer(received) });
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  const spans = (): SentSpan[] => messages.flatMap(({ body }) => contentOf(body).spans);
  return { ...stub, messages, spans, stub };
}

function contentOf(body: Buffer): { resource: Attribute[]; spans: SentSpan[] } {
  const [{ resource, scopeSpans }] = JSON.parse(String(body)).resourceSpans;
  return { resource: resource.attributes, spans: scopeSpans.flatMap(({ spans }: { spans: SentSpan[] }) => spans) };
}

/** Exports traces as the variables say. Closing it sends the recorded spans. */
function startExport(origin: string, variables: Record<string, string> = {}) {
  const all = { OTEL_EXPORTER_OTLP_ENDPOINT: origin, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", ...variables };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  const { tracing } = readEnv(all);
  if (!tracing) throw new Error("these variables configure no collector");
  const { logger, lines } = createTestLog();
  const { close } = exportTraces(tracing, "c0ffee", logger);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    trace.disable();
  });
  return { close, lines };
}

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

describe("a trace", () => {
  it("spans the edge, the answer and the upstream, and is logged", async () => {
    const [collector, upstream] = [await startCollector(), await startStub(answerRightly)];
    const { close } = startExport(collector.origin);
    const { app, logs } = await createTestApp({ upstreams: { promotion: upstream.origin } });
    await request(app).get(`${promotion}?token=secret`).set(fromEdge).expect(200);
    await expect.poll(() => logs).toHaveLength(1);
    await close();

    const [call, answer, ...others] = collector.spans();
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ kind: server, name: "GET /service/promotion/*", status: { code: unset } });
    expect(answer).toMatchObject({ traceId, parentSpanId: edgeSpan, traceState: "vendor=1", flags: isRemote });
    expect(valuesOf(answer?.attributes ?? [])).toEqual({
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "http.route": "/service/promotion/*",
    });
    expect(call).toMatchObject({
      kind: client,
      name: "GET promotion",
      traceId,
      parentSpanId: answer?.spanId,
      flags: isOwn,
    });
    expect(valuesOf(call?.attributes ?? [])).toEqual({
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "peer.service": "promotion",
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(upstream.origin).port),
    });
    const received = upstream.requests[0]?.headers;
    expect(received).toMatchObject({ traceparent: `00-${traceId}-${call?.spanId}-01`, tracestate: "vendor=1" });
    expect(logs).toEqual([expect.objectContaining({ msg: "request", traceId })]);
    expect(String(collector.messages[0]?.body)).not.toContain("secret");
  });

  it("starts here without a caller's, and has the render of an uncached fragment", async () => {
    const collector = await startCollector();
    const { close } = startExport(collector.origin);
    const { listener: app, logs } = await createTestApp();
    for (const cache of ["miss", "hit"]) {
      await request(app).get(footer).expect(200);
      await expect.poll(() => logs.filter((line) => line.cache === cache)).toHaveLength(1);
    }
    await close();

    const [render, miss, hit, ...others] = collector.spans();
    expect(others).toEqual([]);
    expect(render).toMatchObject({ name: "render footer", kind: internal, parentSpanId: miss?.spanId });
    expect(render?.traceId).toBe(miss?.traceId);
    for (const [span, cache] of [[miss, "miss"] as const, [hit, "hit"] as const]) {
      expect(span).toMatchObject({ kind: server, name: "GET /fragments/:name{/:site}" });
      expect(span).not.toHaveProperty("parentSpanId");
      expect(valuesOf(span?.attributes ?? [])).toMatchObject({
        "storefront.site": "DE",
        "storefront.cache": cache,
        "storefront.fragment_state": "fresh",
      });
    }
    expect(logs.map((line) => line.traceId)).toEqual([miss?.traceId, hit?.traceId]);
    expect(miss?.traceId).not.toBe(hit?.traceId);
  });

  it("marks failed spans", async () => {
    const [collector, upstream] = [await startCollector(), await startStub(status(500))];
    const away = await startStub(hang);
    await away.close();
    const { close } = startExport(collector.origin);
    const renderElement = () => Promise.reject(new RangeError("planted failure"));
    const upstreams = { login: upstream.origin, abtest: away.origin };
    const { app, logs } = await createTestApp({ renderElement, upstreams });
    await request(app).get(footer).expect(200);
    const form = request(app).post("/login").set({ Host: "de.localhost", Origin: "http://de.localhost" }).type("form");
    await form.send({ email: "ada@shop.example", password: "correct horse" }).expect(503);
    await request(app).post("/service/abtestfrontend/ada@shop.example").set(fromPage).expect(503);
    await request(app).get("/nowhere/ada@shop.example").expect(404);
    await expect.poll(() => logs.filter(({ msg }) => msg === "request")).toHaveLength(4);
    await close();

    const outcomes = collector.spans().map(({ name, status: { code }, attributes }) => {
      return [name, code, valuesOf(attributes)["error.type"]];
    });
    const expected = [
      ["render footer", failed, "RangeError"],
      ["GET /fragments/:name{/:site}", unset, undefined],
      ["POST login", failed, "500"],
      ["POST /login,/m/login", failed, "503"],
      ["POST abtest", failed, "ECONNREFUSED"],
      ["GET", unset, undefined],
    ];
    expect(outcomes).toEqual(expect.arrayContaining(expected));
    expect(String(collector.messages[0]?.body)).not.toMatch(/ada@|correct|planted/);
  });

  it("that the caller doesn't record isn't recorded here, and is passed on", async () => {
    const [collector, upstream] = [await startCollector(), await startStub(answerRightly)];
    const { close } = startExport(collector.origin);
    const { app } = await createTestApp({ upstreams: { promotion: upstream.origin } });
    await request(app)
      .get(promotion)
      .set({ traceparent: `00-${traceId}-${edgeSpan}-00` });
    await close();
    expect(collector.messages).toEqual([]);
    expect(upstream.requests[0]?.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[\\da-f]{16}-00$`));
  });
});

describe("the environment", () => {
  it.each([
    ["always_off", "1", []],
    ["always_on", "0", [true, false]],
    ["traceidratio", "0", []],
    ["parentbased_always_off", "1", [true]],
    ["parentbased_traceidratio", "0", [true]],
  ])("selects the sampler: %s %s", async (name, ratio, recorded) => {
    const collector = await startCollector();
    const sampling = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio };
    const { close } = startExport(collector.origin, sampling);
    for (const flags of [1, 0])
      startSpan(
        String(flags === 1),
        {},
        extractTrace({ traceparent: `00-${traceId}-${edgeSpan}-0${flags}` }),
      ).span.end();
    await close();
    expect(collector.spans().map((span) => span.name === "true")).toEqual(recorded);
  });

  it("sets the service's attributes and the collector's headers", async () => {
    const collector = await startCollector();
    const { close } = startExport(collector.origin, {
      OTEL_SERVICE_NAME: "shop-fragments",
      OTEL_RESOURCE_ATTRIBUTES: "team=shop,service.name=other",
      OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20c2hvcA==",
    });
    startSpan("one", {}, ROOT_CONTEXT).span.end();
    await close();
    const [message] = collector.messages;
    expect(message).toMatchObject({ url: "/v1/traces", headers: { authorization: "Basic c2hvcA==" } });
    expect(valuesOf(contentOf(message?.body ?? Buffer.of()).resource)).toMatchObject({
      "service.name": "shop-fragments",
      "service.version": "c0ffee",
      team: "shop",
    });
  });

  it("sets protocol and endpoint", async () => {
    const collector = await startCollector();
    const { close } = startExport("http://127.0.0.1:1", {
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.origin}/traces`,
    });
    const { span } = startSpan("render footer", {}, ROOT_CONTEXT);
    span.end();
    await close();
    const [message] = collector.messages;
    expect(message).toMatchObject({ url: "/traces", headers: { "content-type": "application/x-protobuf" } });
    for (const bytes of [Buffer.from(span.spanContext().traceId, "hex"), Buffer.from("storefront-fragments")])
      expect(message?.body.includes(bytes)).toBe(true);
  });
});

describe("a collector that is down", () => {
  it("is logged once, and when it is up again, and delays neither answers nor shutdown", async () => {
    const collector = await startCollector();
    const { close, lines } = startExport(collector.origin);
    const { answer } = collector.stub;
    const { app } = await createTestApp();
    const send = async (count: number) => {
      for (let i = 0; i < batch; i++) startSpan("one", {}, ROOT_CONTEXT).span.end();
      await expect.poll(() => collector.requests.length).toBe(count);
    };
    collector.stub.answer = status(401);
    await send(1);
    await expect.poll(() => lines).toHaveLength(1);
    await send(2);
    await request(app).get(footer).expect(200);
    collector.stub.answer = answer;
    await send(3);
    await collector.stub.close();
    await close();
    expect(lines).toEqual([
      expect.objectContaining({ level: 40, reason: "status 401", msg: "trace export failed, spans are lost" }),
      expect.objectContaining({ level: 30, failures: 2 }),
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });
});
