import { afterAll, describe, expect, it } from "vitest";
import { tryUpstreamFaults } from "../../faults/upstream-faults.ts";
import { stopProcesses } from "../../support/start-process.ts";

afterAll(stopProcesses);

describe("real services that fail in every way", () => {
  // How quick footers stay, the long form measures: here they share the processors with other tests.
  it("leave footers whole, and nobody takes a fault for a success", async () => {
    const trial = { seconds: 0.2, rate: 30, keepCalling: false, seed: Date.now() };
    const { footers, calls, recovery } = await tryUpstreamFaults(trial);
    expect(footers.wrong, `seed ${trial.seed}`).toEqual([]);
    expect(calls.wrong, `seed ${trial.seed}`).toEqual([]);
    expect(footers.asked).toBeGreaterThan(100);
    expect(calls.answered).toBeGreaterThan(100);
    expect(recovery).toBeLessThan(10_000);
  }, 60_000);
});
