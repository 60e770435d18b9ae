import { callService } from "./call-service.ts";

/** An A/B test that staff can choose a group of. */
export interface AbTestOffer {
  name: string;
  groups: string[];
}

/**
 * Asks which A/B tests are active at a moment.
 * @returns undefined when the answer is useless
 */
export async function fetchAbTests(at: Temporal.Instant): Promise<AbTestOffer[] | undefined> {
  const query = new URLSearchParams({ time: at.toString({ smallestUnit: "second" }) });
  const { response, body } = await callService(`/service/abtestfrontend/api/v1/gettestsat?${query}`, {
    cache: "no-store",
  });
  if (!response.ok || !Array.isArray(body)) return undefined;
  const tests = body.map(readTest);
  return tests.every((test) => test !== undefined) ? tests : undefined;
}

/** @param test - what the service says of a test, such as `{ name: "teaser", groups: [{ name: "A" }] }` */
function readTest(test: unknown): AbTestOffer | undefined {
  const { name, groups } = Object(test);
  return Array.isArray(groups) ? { name, groups: groups.map((group) => Object(group).name) } : undefined;
}
