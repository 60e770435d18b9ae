import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, inject, it } from "vitest";
import { parse } from "yaml";
import { readAlerts } from "./read-queries.ts";

interface Cases {
  tests: { name: string; alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
}

const cases = "test/deploy/alerts.test.yml";

it("the rules of Prometheus fire on what they are for, and are silent on what is all right", () => {
  const { stdout, stderr } = spawnSync(inject("promtoolPath"), ["test", "rules", cases], { encoding: "utf8" });
  expect(`${stdout}${stderr}`).toMatch(/SUCCESS\s*$/);
});

it("every alert has a case in which it is silent, and one in which it fires", () => {
  const { tests }: Cases = parse(readFileSync(cases, "utf8"));
  const tried = tests.flatMap(({ alert_rule_test }) => alert_rule_test);
  const alerts = readAlerts().map(({ alert }) => alert);
  for (const fires of [true, false]) {
    const named = tried.filter(({ exp_alerts = [] }) => exp_alerts.length > 0 === fires);
    expect(new Set(named.map(({ alertname }) => alertname))).toEqual(new Set(alerts));
  }
});
