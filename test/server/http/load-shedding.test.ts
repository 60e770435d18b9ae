import { once } from "node:events";
import { Agent, createServer, get, IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, Socket } from "node:net";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Handling, shedLoad } from "../../../server/http/load-shedding.ts";
import { createMetrics } from "../../../server/platform/metrics.ts";
import { createTestLog } from "../../support/test-log.ts";

/** The requests whose answers are in memory. */
const known = ["/fragments/footer?site=DE", "/assets/footer.css"];
const firstKnown = "/assets/first.css";
/** As many as must wait before others are rejected. */
const crowdOf = (path: string) => Array.from({ length: 20 }, () => path);

/** Creates a server that counts the requests that it has started and shed. Time passes only when told to. */
function createBench() {
  const { logger, lines } = createTestLog();
  const metrics = createMetrics();
  const begun: string[] = [];
  const shed: string[] = [];
  const note = (list: string[]) => (request: IncomingMessage) => void list.push(request.url ?? "");
  const classify = ({ url = "" }: IncomingMessage): Handling => ({
    load: url === firstKnown || known.includes(url) ? "cached" : "dynamic",
  });
  const server = createServer().removeAllListeners("connection");
  const guarded = shedLoad(server, note(begun), { classify, logger, metrics, reject: note(shed) });
  const ask = (path: string) => {
    const request = new IncomingMessage(new Socket());
    request.url = path;
    guarded(request, new ServerResponse(request));
    return request;
  };
  const connect = () => server.emit("connection", new Socket());
  const settle = async () => {
    for (let turn = 0; turn < 100; turn++) await turnOfLoop();
  };
  return { ask, begun, connect, lines, metrics, settle, shed };
}

describe("requests that wait for their turn", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  const dynamic = ["/", "/preview?a=1", "/M/Login", "/service/promotion/api/promotion/SHOP_FOOTER", "/nowhere"];
  const unknown = ["/fragments/footer?site=AT", "/assets/made-up.css", "/fragments/made-up/fallback"];

  it.each([
    [150, []],
    [220, [...dynamic, ...unknown]],
    [650, [...dynamic, ...unknown, ...known]],
  ])("for %i ms let what is known be rejected last, and health never: %j", async (delay, rejected) => {
    const { ask, begun, settle, shed } = createBench();
    for (const path of [...crowdOf("/first"), ...crowdOf(firstKnown)]) ask(path);
    vi.advanceTimersByTime(delay);
    for (const path of [...dynamic, ...unknown, ...known]) ask(path);
    ask("/livez");
    ask("/READYZ/?a=1");
    expect(begun, "health is answered at once").toEqual(["/livez", "/READYZ/?a=1"]);
    await settle();
    expect(shed).toEqual(rejected);
    const all = [...crowdOf(firstKnown), ...known, ...crowdOf("/first"), ...dynamic, ...unknown];
    expect(begun.slice(2)).toEqual(all.filter((path) => !rejected.includes(path)));
  });

  it("start with what is known, which no crowd of pages lets be rejected", async () => {
    const { ask, begun, settle, shed } = createBench();
    for (let i = 0; i < 400; i++) ask("/");
    vi.advanceTimersByTime(10_000);
    for (const path of known) ask(path);
    await settle();
    expect(shed).toEqual([]);
    expect(begun.slice(0, known.length)).toEqual(known);
    expect(begun).toHaveLength(known.length + 400);
  });

  it("leave one turn to a new connection, and are dropped if their client has left", async () => {
    const { ask, begun, connect } = createBench();
    ask("/left").socket.destroy();
    for (const path of ["/first", "/second", "/third"]) ask(path);
    connect();
    await turnOfLoop();
    expect(begun).toEqual([]);
    await turnOfLoop();
    expect(begun).toEqual(["/first", "/second", "/third"]);
  });

  it("aren't rejected while few wait, however long", async () => {
    const { ask, begun, settle, shed } = createBench();
    for (const path of crowdOf("/first").slice(1)) ask(path);
    vi.advanceTimersByTime(10_000);
    ask("/last");
    await settle();
    expect([begun.at(-1), shed]).toEqual(["/last", []]);
    expect(begun).toHaveLength(20);
  });

  it("reject a class until the delay has halved", async () => {
    const { ask, settle, shed } = createBench();
    ask("/first");
    vi.advanceTimersByTime(100);
    for (const path of crowdOf("/second")) ask(path);
    vi.advanceTimersByTime(90);
    ask("/at 190 ms");
    vi.advanceTimersByTime(30);
    ask("/at 220 ms");
    await turnOfLoop();
    ask("/at 120 ms of the second");
    await settle();
    expect(shed).toEqual(["/at 220 ms", "/at 120 ms of the second"]);
    ask("/afterwards");
    await settle();
    expect(shed).toHaveLength(2);
  });

  it("are counted by class when they are rejected, and logged in one line for many", async () => {
    const { ask, lines, metrics } = createBench();
    for (const path of crowdOf("/")) ask(path);
    vi.advanceTimersByTime(220);
    for (let i = 0; i < 50; i++) ask("/preview");
    vi.advanceTimersByTime(11_000);
    ask("/preview");
    const { values } = await metrics.shed.get();
    expect(values.filter(({ value }) => value > 0)).toEqual([{ labels: { class: "dynamic" }, value: 51 }]);
    expect(lines).toMatchObject([
      { level: 40, msg: "overloaded: requests rejected", requests: 1, classes: ["dynamic"] },
      { level: 40, requests: 50 },
    ]);
  });
});

it("a health check on a new connection is answered while many others are busy", async () => {
  let answered = 0;
  const server = createServer();
  const { logger } = createTestLog();
  const listener = shedLoad(
    server,
    (request, response) => {
      const until = performance.now() + 2;
      while (request.url === "/" && performance.now() < until);
      answered += 1;
      response.end();
    },
    {
      logger,
      metrics: createMetrics(),
      classify: () => ({ load: "dynamic" }),
      reject: (_request, response) => response.end(),
    },
  );
  server.on("request", listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
  });

  let isOver = false;
  const keepBusy = () => {
    get({ port, agent }, (response) => response.resume().on("end", () => isOver || keepBusy())).on("error", () => 0);
  };
  for (let i = 0; i < 100; i++) keepBusy();
  await vi.waitFor(() => expect(answered).toBeGreaterThan(300), 20_000);
  const before = answered;
  const [response] = await once(get({ port, path: "/livez", agent: false }), "response");
  isOver = true;
  expect(response.statusCode).toBe(200);
  expect(answered - before, "answers of others in the meantime").toBeLessThan(50);
});
