import { globSync, readFileSync } from "node:fs";
import { check } from "recheck";
import { expect, it } from "vitest";

const sources = globSync("client/rules/*.ts").map((file) => readFileSync(file, "utf8"));
const patterns = sources
  .flatMap((source) => [...source.matchAll(/^(?:export )?const (\w+) =\s+\/(.+)\/([a-z]*);$/gm)])
  .map(([, name, pattern = "", flags = ""]) => ({ name, pattern, flags }));

it("finds the patterns of the rules", () => {
  expect(patterns.map(({ name }) => name)).toEqual(expect.arrayContaining(["emailPattern", "namePattern"]));
});

it.each(patterns)("$name matches in linear time", async ({ pattern, flags }) => {
  const known = pattern.replaceAll("\\p{Variation_Selector}", "[\uFE00-\uFE0F]");
  expect(await check(known, flags)).toMatchObject({
    status: "safe",
    complexity: { type: expect.stringMatching(/^(safe|linear)$/) },
  });
});
