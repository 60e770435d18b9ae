import type { Moment } from "../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../schemas/types.ts";
import { longestStored } from "../../http/cache-control.ts";
import type { Job } from "../../platform/lifecycle.ts";
import type { Logger } from "../../platform/logger.ts";
import { type AbGroup, variantTag } from "../../rendering/ab-group.ts";
import { createKeptPlans, entryAt } from "../../upstream/kept-plans.ts";
import type { AbTestService, ActiveGroups, PlannedTests } from "./service.ts";

/** Stands for all A/B tests. */
const all = {};
const key = "tests";

/**
 * Keeps the active A/B tests available, with their known ends and those that will begin, from the first request that
 * names a group. After a failed fetch, the last ones stay until they expire.
 * @param purge - purges a `Surrogate-Key` from the edge after a change that the edge couldn't expect; undefined without
 * an edge to purge
 */
export function createActiveGroups(
  service: AbTestService,
  logger: Logger,
  purge?: (key: string) => Promise<void>,
): ActiveGroups & Job {
  const { planOf, want, ...job } = createKeptPlans<typeof all, PlannedTests>({
    subjects: [],
    mostWanted: 1,
    keyOf: () => key,
    nameOf: () => undefined,
    fetch: service.planned,
    unforeseen: (_all, before, plan, at) => listUnforeseen(before, plan, at).map(variantTag),
    logger,
    messages: { down: "A/B tests unavailable, footers keep their groups for 50 s", up: "A/B tests recovered" },
    purge,
  });
  return {
    stateOf(group, at) {
      const plan = planOf(key);
      return plan && stateIn(plan, group, at);
    },
    want: () => want(all),
    ...job,
  };
}

function stateIn(plan: readonly PlannedTests[], group: AbGroup, at: Moment): { isActive: boolean; until: Moment } {
  const isActive = hasGroup(entryAt(plan, at)?.tests, group);
  const change = plan.find(({ from, tests }) => from > at && hasGroup(tests, group) !== isActive);
  return { isActive, until: change?.from ?? Infinity };
}

function hasGroup(tests: AbTestsAnswer = [], { test, group }: AbGroup): boolean {
  return tests.some(({ name, groups }) => name === test && groups.some((one) => one.name === group));
}

/** Lists the groups that have begun or ended unannounced, or will do so earlier than a plan had announced. */
function listUnforeseen(before: readonly PlannedTests[], plan: readonly PlannedTests[], at: Moment): AbGroup[] {
  const tests = [...before, ...plan].flatMap((entry) => entry.tests);
  const groups = tests.flatMap(({ name: test, groups }) => groups.map(({ name: group }) => ({ test, group })));
  const byTag = new Map(groups.map((group) => [variantTag(group), group]));
  return [...byTag.values()].filter((group) => {
    const [expected, found] = [stateIn(before, group, at), stateIn(plan, group, at)];
    const isSooner = found.until < expected.until && found.until < at + longestStored;
    return isSooner || found.isActive !== expected.isActive;
  });
}
