import { afterEach, describe, expect, it, vi } from "vitest";
import { callService, csrfHeader } from "../../../client/services/call-service.ts";
import { answer } from "./answer.ts";

afterEach(() => void vi.unstubAllGlobals());

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
    const { response, body } = await callService("/service/x", {});
    expect([response.status, response.headers.get("Retry-After"), body]).toEqual([400, "8", { type: "INVALID_EMAIL" }]);
  });

  it.each([
    ["no JSON", () => new Response("<!doctype html>")],
    ["empty JSON", () => new Response("", { headers: { "Content-Type": "application/json" } })],
    ["nothing", () => new Response(null, { status: 204 })],
    ["null", () => Response.json(null)],
  ])("takes an answer that is %s for one without content", async (_case, respond) => {
    answer(respond());
    expect(await callService("/service/x", {})).toMatchObject({ response: { ok: true }, body: {} });
  });

  it("takes a page for no answer, unless its status says all", async () => {
    const page = (status: number) =>
      new Response("<!doctype html>", { status, headers: { "Content-Type": "text/html" } });
    answer(page(200));
    expect(await callService("/service/x", {})).toMatchObject({ response: { status: 0, ok: false }, body: {} });
    answer(page(401));
    expect(await callService("/service/x", {})).toMatchObject({ response: { status: 401 }, body: {} });
  });

  it("is given up after 15 seconds", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    vi.stubGlobal("fetch", async (_address: string, { signal }: { signal: AbortSignal }) => signal.throwIfAborted());
    expect(await callService("/service/x", {})).toMatchObject({ response: { status: 0, ok: false }, body: {} });
    expect(timeout).toHaveBeenCalledExactlyOnceWith(15_000);
    timeout.mockRestore();
  });
});
