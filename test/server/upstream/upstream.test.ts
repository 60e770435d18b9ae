import { describe, expect, it, vi } from "vitest";
import { createUpstream, type UpstreamOptions } from "../../../server/upstream/upstream.ts";
import { breakOff, hang, json, type Stub, startStub, status } from "../../support/start-stub.ts";

/** Starts an upstream that answers as told, and its caller. */
async function start(answer: Stub["answer"], options: Partial<UpstreamOptions> = {}) {
  const stub = await startStub(answer);
  const ask = createUpstream({ ...stub, name: "login", deadline: 4_000, maxAnswer: 100, ...options });
  const call = (method = "GET", signal?: AbortSignal) =>
    ask({ method, path: "/x", headers: { "accept-encoding": "gzip" }, signal, read: ({ status }) => status });
  return { stub, ask, call };
}

/**
 * Makes a call.
 * @returns its outcome in the metrics
 */
async function outcomeOf(answer: Stub["answer"], isRight = true, signal?: AbortSignal) {
  const { stub, ask } = await start(answer, { deadline: answer === hang ? 300 : 4_000 });
  const read = () => {
    if (!isRight) throw new Error("the answer is wrong");
  };
  await ask({ method: "POST", path: "/x?email=ada@shop.example", headers: {}, signal, read }).catch(() => undefined);
  const { values } = await stub.metrics.upstreamCalls.get();
  return values.filter(({ metricName }) => metricName?.endsWith("_count")).map(({ labels, value }) => [labels, value]);
}

describe("a call of a real service", () => {
  it.each<[string, string, Stub["answer"], boolean]>([
    ["answered", "succeeds", json("{}"), true],
    ["answered", "is refused", status(404), true],
    ["failed", "meets a fault of the service", status(500), true],
    ["failed", "meets a fault of the service that its caller rejects", status(500), false],
    ["broken", "gets a wrong answer", json("{}"), false],
    ["unanswered", "loses its connection", breakOff, true],
    ["unanswered", "gets no answer in time", hang, true],
  ])("is counted once as %s when it %s, without its address", async (outcome, _how, answer, isRight) => {
    expect(await outcomeOf(answer, isRight)).toEqual([[{ upstream: "login", outcome }, 1]]);
  });

  it("is counted as abandoned when the client disconnects", async () => {
    const client = new AbortController();
    const counted = await outcomeOf(() => client.abort(), true, client.signal);
    expect(counted).toEqual([[{ upstream: "login", outcome: "abandoned" }, 1]]);
  });

  it("keeps a connection for a second, as a POST would fail on one that the service has closed", async () => {
    const closed = Promise.withResolvers<void>();
    const { call } = await start((received, response) => {
      received.socket.once("close", () => closed.resolve());
      response.setHeader("Connection", "keep-alive").end();
    });
    await call();
    const answered = performance.now();
    await closed.promise;
    // gunicorn closes idle connections first among common services, after 2 s.
    expect(performance.now() - answered).toBeLessThan(1_900);
  });

  it("asks for an uncompressed answer", async () => {
    const { stub, call } = await start(json("{}"));
    await call();
    expect(stub.requests[0]?.headers["accept-encoding"]).toBe("identity");
  });
});

const unavailable = (headers = {}): Stub["answer"] => {
  return (_request, response) => void response.writeHead(503, headers).end();
};

/** Calls an upstream that answers the first call differently from all others. */
async function callTwice(method: string, first: Stub["answer"], then: Stub["answer"], deadline = 10_000) {
  const { stub, call } = await start(
    (request, response) => {
      stub.answer = then;
      first(request, response);
    },
    { deadline },
  );
  const result = await call(method).catch(String);
  return { result, calls: stub.requests.length };
}

describe("a call that meets a transient fault", () => {
  it.each([
    ["GET", "a broken connection", breakOff],
    ["HEAD", "the status 503", unavailable()],
    ["PUT", "the status 503", unavailable()],
    ["GET", "the status 502", json("", 502)],
    ["GET", "the status 504", json("", 504)],
  ])("is repeated: %s that meets %s", async (method, _fault, fault) => {
    expect(await callTwice(method, fault, json("{}"))).toEqual({ result: 200, calls: 2 });
  });

  it("is repeated once, and within the deadline of the call", async () => {
    expect(await callTwice("GET", unavailable(), unavailable())).toEqual({ result: 503, calls: 2 });
    expect(await callTwice("GET", breakOff, hang, 300)).toEqual({
      result: expect.stringContaining("no answer within 300 ms"),
      calls: 2,
    });
  });

  it.each([
    ["POST", "a broken connection", breakOff],
    ["POST", "the status 503", unavailable()],
    ["PATCH", "the status 503", unavailable()],
    ["GET", "the status 500", json("", 500)],
    ["GET", "the status 404", json("", 404)],
    ["GET", "a 503 with Retry-After", unavailable({ "Retry-After": "1" })],
    ["GET", "too large an answer", json(" ".repeat(1_000))],
  ])("isn't repeated if that could harm or wouldn't help: %s that meets %s", async (method, _fault, fault) => {
    const { result, calls } = await callTwice(method, fault, json("{}"));
    expect([result === 200, calls]).toEqual([false, 1]);
  });
});

describe("more calls than an upstream may get at once", () => {
  /** An upstream that answers each call when told to. */
  async function startHeld(limits: Partial<UpstreamOptions> = {}) {
    const held: (() => void)[] = [];
    const started = await start((_request, response) => void held.push(() => response.end()), limits);
    return { ...started, held };
  }

  it("wait until others are answered", async () => {
    const { stub, call, held } = await startHeld({ maxCalls: 2 });
    const calls = [call(), call(), call()];
    await vi.waitFor(() => expect(held).toHaveLength(2));
    expect(stub.requests).toHaveLength(2);
    for (const answer of held.splice(0)) answer();
    await vi.waitFor(() => expect(held).toHaveLength(1));
    held[0]?.();
    expect(await Promise.all(calls)).toEqual([200, 200, 200]);
  });

  it.each([
    ["too many wait", { maxCalls: 1, maxWaiting: 0 }],
    ["they wait too long", { maxCalls: 1 }],
  ])("fail when %s, and the upstream doesn't count as down", async (_why, limits) => {
    const { call, held } = await startHeld(limits);
    const first = call();
    await vi.waitFor(() => expect(held).toHaveLength(1));
    await expect(call()).rejects.toMatchObject({
      fault: "not asked, as too many calls are under way",
      mayBeDown: false,
    });
    held[0]?.();
    expect(await first).toBe(200);
  });

  it("are those beyond 32 by default", async () => {
    const { call, held } = await startHeld();
    const calls = Array.from({ length: 40 }, () => call().catch(String));
    const waited = await Promise.all(calls.slice(32));
    expect(waited).toEqual(Array(8).fill(expect.stringContaining("too many calls")));
    expect(held).toHaveLength(32);
    for (const answer of held) answer();
    expect(await Promise.all(calls.slice(0, 32))).toEqual(Array(32).fill(200));
  });
});
