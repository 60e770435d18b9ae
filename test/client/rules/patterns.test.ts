import { check } from "recheck";
import { describe, expect, it } from "vitest";
import * as email from "../../../client/rules/email.ts";
import * as subscription from "../../../client/rules/subscription.ts";

describe("every pattern", () => {
  const patterns = Object.entries({ ...email, ...subscription }).filter(([, value]) => value instanceof RegExp);

  it("is among those that are checked", () => {
    expect(patterns.map(([name]) => name)).toHaveLength(6);
  });

  it.each(patterns)("%s needs time in proportion to its input", async (_name, pattern) => {
    const { source, flags } = pattern as RegExp;
    const known = source.replaceAll("\\p{Variation_Selector}", "[\uFE00-\uFE0F]");
    expect(await check(known, flags)).toMatchObject({
      status: "safe",
      complexity: { type: expect.stringMatching(/^(safe|linear)$/) },
    });
  });
});
