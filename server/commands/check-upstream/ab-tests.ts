import { second } from "../../../client/rules/time.ts";
import type { Check } from "./check.ts";
import { checkRules } from "./rules-of-every-call.ts";

const base = "/service/abtestfrontend/api/v1";
/** Within the time that the preview waits for it. */
const tests = { method: "GET", path: `${base}/gettestsat`, within: 5 * second };
const assignment = { method: "GET", path: `${base}/getassignment` };

export async function checkAbTests(check: Check): Promise<void> {
  const { probe } = check;
  await probe({ method: "GET", path: `${base}/unknown` }, "an unknown path", 404);
  await checkRules(check, [tests, assignment]);
  for (const time of ["2026-12-24T18:00:00.000Z", "2026-12-24T19:00:00+01:00"])
    await probe({ ...tests, query: { time } }, `at ${time}`, 200);
  await probe({ ...tests, query: { time: "tomorrow" } }, "at a wrong time", 400);
  await probe(assignment, "of a visitor", 200);
}
