import { expect, it } from "vitest";
import { day, hour, minute, second } from "../../../client/rules/time.ts";
import { createClockCheck } from "../../../server/shop/check-clock.ts";

/** Time that passes when told to, a clock that somebody sets, and the database's. */
function openClocks() {
  let passed = 0;
  const clocks = { own: 0, database: 0 };
  const findFault = createClockCheck({
    clock: () => clocks.own + passed,
    uptime: () => passed,
    askTime: async () => clocks.database + passed,
  });
  const checkAfter = (time: number) => {
    passed += time;
    return findFault();
  };
  return { clocks, checkAfter };
}

it("a clock is believed as long as it goes on as time does", async () => {
  const { clocks, checkAfter } = openClocks();
  expect(await checkAfter(10 * minute)).toBeUndefined();
  clocks.own += 2 * second;
  clocks.database -= 2 * second;
  expect(await checkAfter(10 * day)).toBeUndefined();
});

it("a clock that jumps is believed at the second check after it, and one that jumps back, too", async () => {
  const { clocks, checkAfter } = openClocks();
  for (const jump of [40 * day, -40 * day]) {
    clocks.own += jump;
    clocks.database += jump;
    expect(await checkAfter(10 * minute)).toBe("the clock has jumped");
    expect(await checkAfter(10 * minute)).toBeUndefined();
  }
});

it("a clock isn't believed while the database's differs", async () => {
  const { clocks, checkAfter } = openClocks();
  for (const difference of [hour, -hour]) {
    clocks.database = difference;
    expect(await checkAfter(10 * minute)).toBe("the clock differs from the database's");
    expect(await checkAfter(10 * minute)).toBe("the clock differs from the database's");
  }
  clocks.database = 0;
  expect(await checkAfter(10 * minute)).toBeUndefined();
});
