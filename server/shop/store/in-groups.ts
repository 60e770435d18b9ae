import { setImmediate as restOfRound } from "node:timers/promises";
import { type Milliseconds, second } from "../../../client/rules/time.ts";

/** How many are done together at most: a statement has room for the parameters of many more. */
const largestGroup = 100;
/**
 * A group that fails sooner is done again, each alone. It is longer than PostgreSQL takes to find that two transactions
 * wait for each other, and shorter than it takes to find that the database doesn't answer, which it wouldn't then either.
 */
const triedAgainWithin: Milliseconds = 1.5 * second;

/** While the store works on one group, the next is made ready: PostgreSQL then does a third more. */
const groupsAtOnce = 2;

interface GroupWork<Input, Output> {
  /** What a group has once at most. */
  keyOf(input: Input): string;
  /** Does for several what it does for one. Gives the results in the order of the inputs. */
  work(inputs: readonly Input[]): Promise<readonly Output[]>;
}

interface Call<Input, Output> {
  key: string;
  input: Input;
  resolve(output: Output | PromiseLike<Output>): void;
}

/**
 * Makes calls share a work that costs little more for many than for one, such as a transaction: those that come while it
 * is done for others wait, and are done together. No call fails by another's input.
 */
export function inGroups<Input, Output extends object>({ keyOf, work }: GroupWork<Input, Output>) {
  const waiting = new Set<Call<Input, Output>>();
  let working = 0;
  return async (input: Input): Promise<Output> => {
    const { promise, resolve } = Promise.withResolvers<Output>();
    waiting.add({ key: keyOf(input), input, resolve });
    if (working < groupsAtOnce) void workOff();
    return promise;
  };

  async function workOff(): Promise<void> {
    working++;
    // Requests that have come together are in one group.
    await restOfRound();
    while (waiting.size > 0) {
      await finish(takeGroup());
      await restOfRound();
    }
    working--;
  }

  function takeGroup(): Call<Input, Output>[] {
    const group = new Map<string, Call<Input, Output>>();
    for (const call of waiting) {
      if (group.size === largestGroup) break;
      if (group.has(call.key)) continue;
      group.set(call.key, call);
      waiting.delete(call);
    }
    return [...group.values()];
  }

  async function finish(group: readonly Call<Input, Output>[]): Promise<void> {
    const begun = performance.now();
    const done = workFor(group.map(({ input }) => input));
    const failed = await done.then(
      () => false,
      () => true,
    );
    const isTriedAgain = failed && group.length > 1 && performance.now() - begun < triedAgainWithin;
    for (const [index, { input, resolve }] of group.entries())
      resolve(isTriedAgain ? workFor([input]).then((outputs) => outputs(0)) : done.then((outputs) => outputs(index)));
  }

  async function workFor(inputs: readonly Input[]): Promise<(index: number) => Output> {
    const outputs = await work(inputs);
    return (index) => {
      const output = outputs[index];
      if (output === undefined) throw new Error("a group has no result for one of its inputs");
      return output;
    };
  }
}
