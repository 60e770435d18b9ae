import { expect, it } from "vitest";
import { outcomeOfStatus } from "../../../../client/features/session/renewal.ts";

it.each<[number, number | "failed"]>([
  [201, 0],
  [200, 1],
  [500, 2],
  [502, 2],
  [503, 2],
  [401, 3],
  [0, "failed"],
  [204, "failed"],
  [302, "failed"],
  [400, "failed"],
  [403, "failed"],
  [404, "failed"],
  [429, "failed"],
])("the answer %i to a renewal has the outcome %s", (status, outcome) => {
  expect(outcomeOfStatus(status)).toBe(outcome);
});
