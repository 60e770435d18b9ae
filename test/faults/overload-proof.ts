import { second } from "../../client/rules/time.ts";
import { measureOverload } from "./overload.ts";
import { atLeast, atMost, type Proof, scaled } from "./proof.ts";

export const overload: Proof = {
  name: "overload",
  does: "Asks the service for one, two and five times as much as it can do. What it can't do it refuses at once, and it goes on to do the rest as well as before.",
  isLong: true,
  async run(trial) {
    const { goodput, recovery, memoryGrowth } = await measureOverload(scaled(10, trial, 2));
    return [
      ...Object.entries(goodput).map(([kind, part]) =>
        atLeast(`${kind}: answers in a processor's second at five times the capacity, beside the most`, part, 0.9),
      ),
      atMost("time until nothing is refused any more", recovery / second, 5, "s"),
      atMost("memory after the last load, beside the first", memoryGrowth, 1.2),
    ];
  },
};
