import { describe, expect, it } from "vitest";
import { createUpstream } from "../../../server/upstream/upstream.ts";
import { breakOff, hang, json, type Stub, startStub, status } from "../../support/start-stub.ts";

/** Makes a call of an upstream that answers in a way, and tells how the metrics count it. */
async function outcomeOf(answer: Stub["answer"], isRight = true, signal?: AbortSignal) {
  const stub = await startStub(answer);
  const { metrics } = stub;
  const ask = createUpstream({ ...stub, name: "login", deadline: 300, maxAnswer: 100 });
  const read = () => {
    if (!isRight) throw new Error("it isn't what it must be");
  };
  await ask({ method: "POST", path: "/x?email=ada@shop.example", headers: {}, signal, read }).catch(() => undefined);
  const { values } = await metrics.upstreamCalls.get();
  return values.filter(({ metricName }) => metricName?.endsWith("_count")).map(({ labels, value }) => [labels, value]);
}

describe("a call of a real service", () => {
  it.each<[string, string, Stub["answer"], boolean]>([
    ["answered", "it is answered", json("{}"), true],
    ["answered", "it is refused", status(404), true],
    ["failed", "the service fails", status(500), true],
    ["failed", "the service fails, and its caller can't go on", status(500), false],
    ["broken", "the answer isn't what it must be", json("{}"), false],
    ["unanswered", "the answer breaks off", breakOff, true],
    ["unanswered", "no answer comes in time", hang, true],
  ])("is counted once as %s where %s, and names nothing of the call", async (outcome, _how, answer, isRight) => {
    expect(await outcomeOf(answer, isRight)).toEqual([[{ upstream: "login", outcome }, 1]]);
  });

  it("is counted as abandoned where the client goes", async () => {
    const client = new AbortController();
    const counted = await outcomeOf(() => client.abort(), true, client.signal);
    expect(counted).toEqual([[{ upstream: "login", outcome: "abandoned" }, 1]]);
  });

  it("keeps a connection for a second, as a POST would fail on one that the service has closed", async () => {
    const closed = Promise.withResolvers<void>();
    const stub = await startStub((received, response) => {
      received.socket.once("close", () => closed.resolve());
      response.setHeader("Connection", "keep-alive").end();
    });
    const ask = createUpstream({ ...stub, name: "login", deadline: 4_000, maxAnswer: 100 });
    await ask({ method: "GET", path: "/x", headers: {}, read: () => undefined });
    const answered = performance.now();
    await closed.promise;
    // The first of usual services to close its own is gunicorn, after 2 s.
    expect(performance.now() - answered).toBeLessThan(1_900);
  });

  it("asks for an answer that isn't packed", async () => {
    const stub = await startStub(json("{}"));
    const ask = createUpstream({ ...stub, name: "login", deadline: 4_000, maxAnswer: 100 });
    await ask({ method: "GET", path: "/x", headers: { "accept-encoding": "gzip" }, read: () => undefined });
    expect(stub.requests[0]?.headers["accept-encoding"]).toBe("identity");
  });
});

/** Calls an upstream that answers the first call in one way, and all others in another. */
async function callTwice(method: string, first: Stub["answer"], then: Stub["answer"], deadline = 10_000) {
  const stub = await startStub((request, response) => {
    stub.answer = then;
    first(request, response);
  });
  const ask = createUpstream({ ...stub, name: "promotion", deadline, maxAnswer: 100 });
  const read = ({ status }: { status: number }) => status;
  const result = await ask({ method, path: "/x", headers: {}, body: Buffer.from("{}"), read }).catch(String);
  return { result, calls: stub.requests.length };
}

const unavailable = (headers = {}): Stub["answer"] => {
  return (_request, response) => void response.writeHead(503, headers).end();
};

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
    const started = performance.now();
    const { result, calls } = await callTwice("GET", breakOff, hang, 300);
    expect([result, calls]).toEqual([expect.stringContaining("no answer within 300 ms"), 2]);
    expect(performance.now() - started).toBeLessThan(600);
  });

  it.each([
    ["POST", "a broken connection", breakOff],
    ["POST", "the status 503", unavailable()],
    ["PATCH", "the status 503", unavailable()],
    ["GET", "the status 500", json("", 500)],
    ["GET", "the status 404", json("", 404)],
    ["GET", "a 503 with Retry-After", unavailable({ "Retry-After": "1" })],
    ["GET", "too large an answer", json(" ".repeat(1_000))],
  ])("isn't repeated where that could harm or wouldn't help: %s that meets %s", async (method, _fault, fault) => {
    const { result, calls } = await callTwice(method, fault, json("{}"));
    expect([result === 200, calls]).toEqual([false, 1]);
  });
});
