import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import vex from "../../vex.json" with { type: "json" };

const id = "GHSA-qwcr-r2fm-qrc7";
const advisory = {
  source: 1099520,
  name: "body-parser",
  dependency: "body-parser",
  title: "body-parser vulnerable to denial of service when url encoding is enabled",
  url: `https://github.com/advisories/${id}`,
  severity: "high",
  cwe: ["CWE-405"],
  cvss: { score: 7.5, vectorString: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H" },
  range: "<1.20.3",
};
/** npm's output about a bundled package, one that depends on it, and one that only the tests have. */
const audit = {
  auditReportVersion: 2,
  vulnerabilities: {
    "body-parser": {
      name: "body-parser",
      severity: "high",
      isDirect: false,
      via: [advisory],
      effects: ["express"],
      range: "<1.20.3",
      nodes: ["node_modules/body-parser"],
      fixAvailable: true,
    },
    express: {
      name: "express",
      severity: "high",
      isDirect: true,
      via: ["body-parser"],
      effects: [],
      range: "4.0.0-rc1 - 4.19.2",
      nodes: ["node_modules/express"],
      fixAvailable: true,
    },
    ws: {
      name: "ws",
      severity: "high",
      isDirect: false,
      via: [{ ...advisory, name: "ws" }],
      effects: [],
      range: "<8.17.1",
      nodes: ["node_modules/ws"],
      fixAvailable: true,
    },
  },
  metadata: { vulnerabilities: { info: 0, low: 0, moderate: 0, high: 3, critical: 0, total: 3 } },
};
const purl = "pkg:npm/body-parser@1.20.2";
const statement = {
  id,
  analysis: { state: "not_affected", justification: "code_not_reachable", detail: "No form has more than 10 fields." },
  affects: [{ ref: purl }],
};
const found = expect.stringContaining(`${purl}: high, ${advisory.title} (https://github.com/advisories/${id})`);

/** Runs the program in a checkout with two bundled packages. */
async function judge(report: object, ...vulnerabilities: object[]) {
  const folder = await mkdtemp(join(tmpdir(), "audit-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "dist"));
  const version = (name: string) => (name === "body-parser" ? "1.20.2" : "4.19.2");
  const installed = ["body-parser", "express", "ws"].map((name) => [
    `node_modules/${name}`,
    { version: version(name) },
  ]);
  const components = [{ purl }, { purl: "pkg:npm/express@4.19.2" }];
  const files = {
    "audit.json": report,
    "package-lock.json": { packages: Object.fromEntries(installed) },
    "dist/sbom.json": { components },
    "vex.json": { ...vex, vulnerabilities },
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
  const script = resolve("deploy/release/judge-audit.ts");
  const { status, stderr } = spawnSync(process.execPath, [script, "audit.json"], { cwd: folder, encoding: "utf8" });
  return { status, stderr };
}

it("refuses an advisory of a bundled package without a statement, and no other advisory", async () => {
  const { status, stderr } = await judge(audit);
  expect({ status, lines: stderr.trim().split("\n") }).toEqual({ status: 1, lines: [found] });
});

it("accepts a statement that the bundled version isn't affected", async () => {
  expect(await judge(audit, statement)).toEqual({ status: 0, stderr: "" });
});

it.each([
  ["that doesn't answer the advisory yet", { analysis: { ...statement.analysis, state: "in_triage" } }, found],
  ["without a reason", { analysis: { state: "not_affected" } }, found],
  ["about another advisory", { id: "GHSA-0000-0000-0000" }, found],
  ["about a version that isn't bundled", { affects: [{ ref: "pkg:npm/body-parser@1.20.1" }] }, found],
  [
    "about a package that isn't bundled any more",
    { affects: [...statement.affects, { ref: "pkg:npm/ws@8.0.0" }] },
    expect.stringContaining(`vex.json: ${id} names pkg:npm/ws@8.0.0, which isn't bundled`),
  ],
])("refuses a statement %s", async (_which, changes, fault) => {
  expect(await judge(audit, { ...statement, ...changes })).toEqual({ status: 1, stderr: fault });
});

it("refuses an audit without a report", async () => {
  const stderr = expect.stringContaining("npm audit has given no report: request to the registry failed");
  expect(await judge({ message: "request to the registry failed", error: {} })).toEqual({ status: 1, stderr });
});

it("comes with the statements beside the list of packages", async () => {
  expect(JSON.parse(await readFile("dist/vex.json", "utf8"))).toEqual(vex);
});
