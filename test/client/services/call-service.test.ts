import { afterEach, describe, expect, it, vi } from "vitest";
import { callService, csrfHeader } from "../../../client/services/call-service.ts";
import { answer } from "./answer.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a call", () => {
  it("asks without a body, and without a header of its own", async () => {
    const fetched = answer(Response.json({}));
    await callService("/service/x", { cache: "no-store" });
    expect(fetched).toHaveBeenCalledExactlyOnceWith("/service/x", {
      cache: "no-store",
      headers: {},
      signal: expect.any(AbortSignal),
    });
  });

  it("that changes something sends JSON, and the header that proves where it comes from", async () => {
    const fetched = answer(Response.json({}));
    await callService("/service/x", { method: "POST", body: { a: 1 }, headers: { "X-Site": "DE" } });
    expect(fetched.mock.calls[0]?.[1]).toMatchObject({
      method: "POST",
      headers: { "Content-Type": "application/json", ...csrfHeader, "X-Site": "DE" },
      body: '{"a":1}',
    });
  });

  it("gives the status, the headers and the JSON of the answer", async () => {
    answer(Response.json({ type: "INVALID_EMAIL" }, { status: 400, headers: { "Retry-After": "8" } }));
    const { status, ok, headers, body } = await callService("/service/x", {});
    expect([status, ok, headers.get("Retry-After"), body]).toEqual([400, false, "8", { type: "INVALID_EMAIL" }]);
  });

  it.each([
    ["no JSON", () => new Response("<!doctype html>")],
    ["nothing", () => new Response(null, { status: 204 })],
    ["null", () => Response.json(null)],
  ])("takes an answer that is %s for one without content", async (_case, respond) => {
    answer(respond());
    expect(await callService("/service/x", {})).toMatchObject({ ok: true, body: {} });
  });

  it("without an answer has no status", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
    expect(await callService("/service/x", {})).toMatchObject({ status: 0, ok: false, body: {} });
  });

  it("is given up after 15 seconds, and leaves no timer behind", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", (_address: string, { signal }: { signal: AbortSignal }) => {
      return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const called = callService("/service/x", {});
    await vi.advanceTimersByTimeAsync(14_999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await called).toMatchObject({ status: 0 });
    expect(vi.getTimerCount()).toBe(0);
  });
});
