import { describe, expect, it } from "vitest";
import { isRenewal, outcomeOfStatus, outcomeOfToken } from "../../../client/session/outcome.ts";

describe("the outcome", () => {
  it.each([
    [99, 4],
    [100, "due"],
    [199, "due"],
    [200, 5],
    [1000, 5],
  ])("of a check at %i s of a token from 100 s to 200 s is %s", (now, outcome) => {
    expect(outcomeOfToken({ ren: 100, exp: 200, longTerm: false }, now)).toBe(outcome);
  });

  it("of a token that ends before it is renewed is that it has expired", () => {
    expect(outcomeOfToken({ ren: 200, exp: 100, longTerm: false }, 150)).toBe(5);
  });

  it.each([
    [201, 0],
    [200, 1],
    [500, 2],
    [502, 2],
    [503, 2],
    [401, 3],
    [204, "failed"],
    [302, "failed"],
    [400, "failed"],
    [403, "failed"],
    [404, "failed"],
    [429, "failed"],
  ])("of an answer with status %i is %s", (status, outcome) => {
    expect(outcomeOfStatus(status)).toBe(outcome);
  });

  it("is what another tab tells, and nothing else", () => {
    expect([0, 1, 2, 3, 4, 5, "failed"].filter(isRenewal)).toHaveLength(7);
    expect([6, -1, "0", "gone", null, undefined, {}, []].filter(isRenewal)).toEqual([]);
  });
});
