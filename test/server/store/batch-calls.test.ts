import { describe, expect, it, onTestFinished, vi } from "vitest";
import { batchCalls } from "../../../server/store/batch-calls.ts";

/** Batched work that records its batches, continues when told to, and fails for some inputs. */
function setUp(isWrong = (_input: string) => false) {
  const batches: (readonly string[])[] = [];
  const gate = Promise.withResolvers<void>();
  const call = batchCalls({
    keyOf: (input: string) => input,
    async work(inputs) {
      batches.push(inputs);
      await gate.promise;
      if (inputs.some(isWrong)) throw new Error(`wrong: ${inputs}`);
      return inputs.map((input) => ({ did: input }));
    },
  });
  return { call, batches, open: gate.resolve };
}

describe("batched calls", () => {
  it("fail because of their own input only", async () => {
    const { call, batches, open } = setUp((input) => input === "b");
    open();
    expect(await Promise.allSettled(["a", "b", "c"].map(call))).toEqual([
      { status: "fulfilled", value: { did: "a" } },
      { status: "rejected", reason: new Error("wrong: b") },
      { status: "fulfilled", value: { did: "c" } },
    ]);
    expect(batches).toEqual([["a", "b", "c"], ["a"], ["b"], ["c"]]);
  });

  it("fail together with a batch that fails slowly, instead of each waiting in turn", async () => {
    const { call, batches, open } = setUp(() => true);
    const first = ["a", "b"].map(call);
    await expect.poll(() => batches).toHaveLength(1);
    const next = ["a", "a", "b"].map(call);
    await expect.poll(() => batches).toHaveLength(2);
    const late = performance.now() + 2_000;
    const clock = vi.spyOn(performance, "now").mockReturnValue(late);
    onTestFinished(() => clock.mockRestore());
    open();
    const results = await Promise.allSettled([...first, ...next]);
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    expect(batches).toHaveLength(2);
  });
});
