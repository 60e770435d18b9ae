import { describe, expect, it } from "vitest";
import { createUpstream } from "../../../server/upstreams/upstream.ts";
import { breakOff, hang, json, type Stub, startStub } from "../../support/start-stub.ts";

/** A caller of the stub, with more time than a repeat needs. */
function callerOf(stub: Stub, deadline = 10_000) {
  const ask = createUpstream({
    ...stub,
    name: "promotion",
    deadline,
    maxAnswer: 100,
  });
  return (method: string) =>
    ask({ method, path: "/x", headers: {}, body: Buffer.from("{}"), read: ({ status }) => status }).catch(String);
}

/** Answers the first call in one way, and all others in another. */
async function startStubThat(first: Stub["answer"], then: Stub["answer"]) {
  const stub = await startStub((request, response) => {
    stub.answer = then;
    first(request, response);
  });
  return stub;
}

const unavailable = (headers = {}): Stub["answer"] => {
  return (_request, response) => void response.writeHead(503, headers).end();
};

describe("a call that meets a fault which passes", () => {
  it.each([
    ["GET", "a broken connection", breakOff],
    ["HEAD", "the status 503", unavailable()],
    ["PUT", "the status 503", unavailable()],
    ["GET", "the status 502", json("", 502)],
    ["GET", "the status 504", json("", 504)],
  ])("is made once more: %s that meets %s", async (method, _fault, fault) => {
    const stub = await startStubThat(fault, json("{}"));
    expect(await callerOf(stub)(method)).toBe(200);
    expect(stub.requests).toHaveLength(2);
  });

  it("is made once more and not again", async () => {
    const stub = await startStub(unavailable());
    expect(await callerOf(stub)("GET")).toBe(503);
    expect(stub.requests).toHaveLength(2);
  });

  it.each([
    ["POST", "a broken connection", breakOff],
    ["POST", "the status 503", unavailable()],
    ["PATCH", "the status 503", unavailable()],
    ["GET", "the status 500", json("", 500)],
    ["GET", "the status 404", json("", 404)],
    ["GET", "a 503 that says when to come again", unavailable({ "Retry-After": "1" })],
    ["GET", "too large an answer", json(" ".repeat(1_000))],
  ])("isn't made once more where that could harm or wouldn't help: %s that meets %s", async (method, _fault, fault) => {
    const stub = await startStubThat(fault, json("{}"));
    expect(await callerOf(stub)(method)).not.toBe(200);
    expect(stub.requests).toHaveLength(1);
  });

  it("is made once more for a tenth of all calls at most", async () => {
    const stub = await startStub(unavailable());
    const call = callerOf(stub);
    for (let calls = 0; calls < 40; calls++) await call("GET");
    expect(stub.requests.length).toBeGreaterThan(41);
    expect(stub.requests.length).toBeLessThanOrEqual(45);
  });

  it("is made once more within the time of the one call", async () => {
    const stub = await startStubThat(breakOff, hang);
    const started = performance.now();
    expect(await callerOf(stub, 300)("GET")).toContain("no answer within 300 ms");
    expect(performance.now() - started).toBeLessThan(600);
    expect(stub.requests).toHaveLength(2);
  });
});
