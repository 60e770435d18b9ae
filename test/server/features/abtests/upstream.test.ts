import { describe, expect, it, onTestFinished, vi } from "vitest";
import { minute } from "../../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../../schemas/types.ts";
import { createAbTestUpstream } from "../../../../server/features/abtests/upstream.ts";
import { json, startStub } from "../../../support/start-stub.ts";

const noon = Date.UTC(2027, 2, 1, 12);
const colours = [{ name: "colours", groups: [{ name: "A" }, { name: "B" }] }];
const prices = [{ name: "prices", groups: [{ name: "A" }] }];

/** Finds the plan of noon of a service whose tests change with the minutes since then, and the minutes asked for. */
async function findPlan(testsAt: (minutes: number) => AbTestsAnswer) {
  vi.useFakeTimers({ toFake: ["Date"], now: noon });
  onTestFinished(() => void vi.useRealTimers());
  const asked: number[] = [];
  const stub = await startStub((call, response) => {
    const time = new URL(call.url ?? "", stub.origin).searchParams.get("time") ?? "";
    asked.push((Date.parse(time) - noon) / minute);
    json(JSON.stringify(testsAt(asked.at(-1) ?? Number.NaN)))(call, response);
  });
  const plan = await createAbTestUpstream(stub).planned();
  return { asked, plan: plan.map(({ from, tests }) => ({ at: (from - noon) / minute, tests })) };
}

describe("the plan of a service", () => {
  it("has the changes of the next 20 minutes, which are longer than any cache keeps a footer", async () => {
    const begins = 7 + 1 / 60;
    const { asked, plan } = await findPlan((at) => (at < begins ? [] : at < 19.9 ? colours : prices));
    expect(plan).toEqual([
      { at: 0, tests: [] },
      { at: expect.closeTo(begins), tests: colours },
      { at: expect.closeTo(19.9), tests: prices },
    ]);
    expect(asked.length).toBeLessThanOrEqual(2 + 2 * 11);
    expect(Math.max(...asked)).toBe(20);
  });

  it("costs two calls if nothing changes, whatever the order of the answers", async () => {
    const { asked, plan } = await findPlan((at) => (at < 10 ? [...colours, ...prices] : [...prices, ...colours]));
    expect(plan).toHaveLength(1);
    expect(asked).toEqual([0, 20]);
  });

  it("ends after three changes, because each costs eleven calls", async () => {
    const { asked, plan } = await findPlan((at) => [{ name: `test-${Math.floor(at)}`, groups: [{ name: "A" }] }]);
    expect(plan).toHaveLength(1 + 3);
    expect(asked.length).toBeLessThanOrEqual(2 + 3 * 11);
  });
});
