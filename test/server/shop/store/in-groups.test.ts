import { describe, expect, it } from "vitest";
import { inGroups } from "../../../../server/shop/store/in-groups.ts";

/** A work that notes its groups, goes on when it is let, and fails for some inputs. */
function setUp(isWrong = (_input: string) => false) {
  const groups: (readonly string[])[] = [];
  const gate = Promise.withResolvers<void>();
  const ask = inGroups({
    keyOf: (input: string) => input,
    async work(inputs) {
      groups.push(inputs);
      await gate.promise;
      if (inputs.some(isWrong)) throw new Error(`wrong: ${inputs}`);
      return inputs.map((input) => ({ did: input }));
    },
  });
  return { ask, groups, open: gate.resolve };
}

describe("calls that share a work", () => {
  it("are done together when they come together, and each gets its own result", async () => {
    const { ask, groups, open } = setUp();
    open();
    const inputs = Array.from({ length: 250 }, (_, i) => String(i));
    expect(await Promise.all(inputs.map(ask))).toEqual(inputs.map((did) => ({ did })));
    expect(groups.map((group) => group.length)).toEqual([100, 100, 50]);
  });

  it("wait while it is done for others, and no group has a key twice", async () => {
    const { ask, groups, open } = setUp();
    const first = [ask("a"), ask("b"), ask("a")];
    await expect.poll(() => groups).toEqual([["a", "b"], ["a"]]);
    const next = ["c", "c", "d"].map(ask);
    open();
    await Promise.all([...first, ...next]);
    expect(groups.slice(2)).toEqual([["c", "d"], ["c"]]);
  });

  it("fail by their own input alone", async () => {
    const { ask, groups, open } = setUp((input) => input === "b");
    open();
    expect(await Promise.allSettled(["a", "b", "c"].map(ask))).toEqual([
      { status: "fulfilled", value: { did: "a" } },
      { status: "rejected", reason: new Error("wrong: b") },
      { status: "fulfilled", value: { did: "c" } },
    ]);
    expect(groups).toEqual([["a", "b", "c"], ["a"], ["b"], ["c"]]);
  });
});
