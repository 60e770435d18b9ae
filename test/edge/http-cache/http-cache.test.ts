import { readFileSync } from "node:fs";
import { expect, inject, it } from "vitest";
import { startNginx, startVarnish } from "../start-edges.ts";
import { causes } from "./causes.ts";
import { runSuite, startOrigin } from "./run-suite.ts";

const document = "docs/include.md";

/** The groups of the suite that matter to an include. Purges are the recipe's own, which other tests try. */
const groups: Record<string, string> = {
  "cc-freshness": "how long a copy is fresh",
  "age-parse": "`Age`",
  "cc-response": "which responses may be stored",
  stale: "stale copies, with and without `stale-if-error`",
  vary: "`Vary`",
  "conditional-inm": "`ETag` and `If-None-Match`",
};

const edges = { nginx: startNginx, varnish: startVarnish };

it("the recipes cache by the rules, and each exception has its reason", async () => {
  const { origin, close } = await startOrigin();
  const outcomes = new Map<string, Awaited<ReturnType<typeof runSuite>>>();
  for (const [name, start] of Object.entries(edges)) {
    const edge = await start(inject(name === "nginx" ? "nginxPath" : "varnishPath"), [origin], origin);
    // Leaves out questions without a right answer, except the one that the recipes exist for.
    const isAsked = ({ id, kind }: { id: string; kind?: string }) => kind !== "check" || id.startsWith("stale-sie-");
    outcomes.set(name, await runSuite(edge, origin, Object.keys(groups), isAsked));
    await edge.stop();
  }
  close();

  const columns = Object.keys(edges) as (keyof typeof edges)[];
  const failedOf = (name: string) => (outcomes.get(name) ?? []).flatMap(({ id, passed }) => (passed ? [] : [id]));
  const explained = causes.map(({ says, ...of }) => ({
    says,
    failed: columns.map((name) => failedOf(name).filter((id) => of[name]?.some((start) => id.startsWith(start)))),
  }));
  for (const [index, name] of columns.entries()) {
    expect(explained.flatMap(({ failed }) => failed[index] ?? []).toSorted(), name).toEqual(failedOf(name).toSorted());
  }
  for (const { says, failed } of explained) expect(failed.flat(), says).not.toEqual([]);

  const passed = Object.entries(groups).map(([group, title]) => [
    title,
    ...columns.map((name) => {
      const all = (outcomes.get(name) ?? []).filter((test) => test.group === group);
      return `${all.filter((test) => test.passed).length} of ${all.length}`;
    }),
  ]);
  const reasons = explained.map(({ says, failed }) => [says, ...failed.map(({ length }) => String(length || ""))]);
  const tables = [
    ["Tests passed", ...passed],
    ["Why tests fail", ...reasons],
  ].map(([title, ...rows]) =>
    [[title, "nginx", "Varnish"], ["", "", ""].map(() => "---"), ...(rows as string[][])]
      .map((cells) => `| ${cells.join(" | ")} |`)
      .join("\n"),
  );
  const text = readFileSync(document, "utf8");
  const written = text.replace(/(?<=<!-- caches -->\n).*?(?=<!-- \/caches -->)/s, `\n${tables.join("\n\n")}\n\n`);
  await expect(written).toMatchFileSnapshot(`../../../${document}`);
}, 120_000);
