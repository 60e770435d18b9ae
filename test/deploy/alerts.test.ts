import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, inject, it } from "vitest";
import { parse } from "yaml";

interface Cases {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
}

interface Rules {
  groups: { rules: { alert?: string; labels?: { severity?: string } }[] }[];
}

const files = ["alerts", "objectives"];
const read = (file: string) => readFileSync(file, "utf8");
const rules: Rules[] = files.map((file) => parse(read(`deploy/prometheus/${file}.yml`)));
const severities = new Map(
  rules
    .flatMap(({ groups }) => groups.flatMap((group) => group.rules))
    .flatMap(({ alert, labels }) => (alert === undefined ? [] : [[alert, labels?.severity]])),
);
const alerts = [...severities.keys()];

it.each(files)("%s fire on what they are for, and are silent otherwise", (file) => {
  const words = ["test", "rules", `test/deploy/${file}.test.yml`];
  const { stdout, stderr } = spawnSync(inject("promtoolPath"), words, { encoding: "utf8" });
  expect(`${stdout}${stderr}`).toMatch(/SUCCESS\s*$/);
});

it("every alert has a case in which it is silent, and one in which it fires", () => {
  const cases: Cases[] = files.map((file) => parse(read(`test/deploy/${file}.test.yml`)));
  const tried = cases.flatMap(({ tests }) => tests.flatMap(({ alert_rule_test }) => alert_rule_test));
  for (const fires of [true, false]) {
    const named = tried.filter(({ exp_alerts = [] }) => exp_alerts.length > 0 === fires);
    expect(new Set(named.map(({ alertname }) => alertname))).toEqual(new Set(alerts));
  }
});

it("the operators' document says what to do about every alert, and which ones are critical", () => {
  const [, section = ""] = read("docs/operate.md").split(/^### Alerts\n/m);
  const [critical = "", warnings = ""] = section.split("\n### ")[0]?.split("**Warnings**") ?? [];
  const namesIn = (table: string) => table.match(/(?<=^\| `)\w+/gm)?.toSorted();
  const having = (severity: string) => alerts.filter((alert) => severities.get(alert) === severity).toSorted();
  expect(namesIn(critical)).toEqual(having("critical"));
  expect(namesIn(warnings)).toEqual(having("warning"));
});
