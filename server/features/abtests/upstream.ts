import { isDeepStrictEqual } from "node:util";
import { type Milliseconds, type Moment, minute, second } from "../../../client/rules/time.ts";
import type { AbTestsAnswer } from "../../../schemas/types.ts";
import { toIso } from "../../platform/time.ts";
import { createValidator } from "../../platform/validate.ts";
import { createFetchJson } from "../../upstream/fetch-json.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { type AbTestService, abTestPath, type PlannedTests } from "./service.ts";

/** How far a plan reaches into the future: longer than footers are cached, and longer than the plan is kept. */
const ahead: Milliseconds = 20 * minute;
/** The number of changes within this time that are looked for, by eleven calls each. */
const mostChanges = 3;

/** Creates the client of the real A/B test service. */
export function createAbTestUpstream(upstream: Upstream): AbTestService {
  const fetchJson = createFetchJson({ ...upstream, name: "abtest", deadline: 5 * second, maxAnswer: 256 * 1024 });
  const validate = createValidator<AbTestsAnswer>("ab-tests-answer");
  return { findTests, planned };

  async function findTests(at: Moment): Promise<AbTestsAnswer> {
    const path = `${abTestPath}/gettestsat?${new URLSearchParams({ time: toIso(at) })}`;
    return (await fetchJson({ path, validate })) ?? [];
  }

  /** The service tells what is active at a time, so changes are found by asking for later times. */
  async function planned(): Promise<PlannedTests[]> {
    const at = Date.now();
    const end = Math.ceil((at + ahead) / second) * second;
    const [now, later] = await Promise.all([at, end].map(entryOf));
    if (!now || !later) return [];
    const plan = [now];
    let last = now;
    while (!isSame(last, later) && plan.length <= mostChanges) {
      last = await findChange(last, later, entryOf);
      plan.push(last);
    }
    return plan;
  }

  async function entryOf(from: Moment): Promise<PlannedTests> {
    return { from, tests: await findTests(from) };
  }
}

/**
 * Finds a change by bisection.
 * @param later - has other tests, from a whole second on
 * @returns the first whole second with other tests
 */
async function findChange(
  before: PlannedTests,
  later: PlannedTests,
  entryOf: (at: Moment) => Promise<PlannedTests>,
): Promise<PlannedTests> {
  let [low, high] = [before, later];
  while (high.from - low.from > second) {
    const middle = await entryOf(Math.floor((low.from + high.from) / 2 / second) * second);
    if (isSame(middle, before)) low = middle;
    else high = middle;
  }
  return high;
}

function isSame(one: PlannedTests, other: PlannedTests): boolean {
  return isDeepStrictEqual(namesOf(one), namesOf(other));
}

/** Services may list tests in any order. */
function namesOf({ tests }: PlannedTests): string[] {
  return tests.flatMap(({ name, groups }) => groups.map((group) => `${name} ${group.name}`)).sort();
}
