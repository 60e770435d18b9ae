import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, inject, it } from "vitest";
import { parse } from "yaml";

interface Cases {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
}

const cases = "test/deploy/alerts.test.yml";
const alerts = readFileSync("deploy/prometheus/alerts.yml", "utf8").match(/(?<=- alert: )\w+/g) ?? [];

it("alerts fire on what they are for, and are silent otherwise", () => {
  const { stdout, stderr } = spawnSync(inject("promtoolPath"), ["test", "rules", cases], { encoding: "utf8" });
  expect(`${stdout}${stderr}`).toMatch(/SUCCESS\s*$/);
});

it("every alert has a case in which it is silent, and one in which it fires", () => {
  const { tests }: Cases = parse(readFileSync(cases, "utf8"));
  const tried = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  for (const fires of [true, false]) {
    const named = tried.filter(({ exp_alerts = [] }) => exp_alerts.length > 0 === fires);
    expect(new Set(named.map(({ alertname }) => alertname))).toEqual(new Set(alerts));
  }
});

it("the operators' document says what to do about every alert", () => {
  const [, section = ""] = readFileSync("docs/operate.md", "utf8").split(/^### Alerts\n/m);
  const documented = section.split("\n### ")[0]?.match(/(?<=^\| `)\w+/gm) ?? [];
  expect(documented.sort()).toEqual(alerts.toSorted());
});
