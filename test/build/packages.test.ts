import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

type Lock = Record<string, { version?: string; deprecated?: string }>;

/** Largest size of node_modules in MB. */
const limit = 400;

it("take at most 400 MB", () => {
  // Without those of test/package.json, and caches beside the packages.
  const folders = globSync("node_modules/{[!.@]*,@*/*}");
  const lines = execFileSync("du", ["-sk", ...folders], { encoding: "utf8" })
    .trim()
    .split("\n");
  const sizes = lines.map((line) => {
    const [kilobytes, folder = ""] = line.split("\t");
    return { folder, megabytes: Number(kilobytes) / 1024 };
  });
  const sum = Math.ceil(sizes.reduce((total, { megabytes }) => total + megabytes, 0));
  const heaviest = sizes.toSorted((a, b) => b.megabytes - a.megabytes).slice(0, 12);
  const list = heaviest.map(({ folder, megabytes }) => `${folder} ${Math.round(megabytes)}`).join("\n");
  expect(sum, `node_modules has ${sum} MB, and may have ${limit}. The heaviest:\n${list}`).toBeLessThanOrEqual(limit);
});

it.each(["package-lock.json", "test/package-lock.json"])("are not deprecated in %s", async (file) => {
  const deprecatedOnes = Object.entries(await readLock(file)).filter(([, { deprecated }]) => deprecated);
  expect(deprecatedOnes.map(([folder, { deprecated }]) => `${folder}: ${deprecated}`)).toEqual([]);
});

it("have the same versions in the service and its tests", async () => {
  const { dependencies, devDependencies } = JSON.parse(await readFile("package.json", "utf8"));
  const [own, ofTests] = await Promise.all([readLock("package-lock.json"), readLock("test/package-lock.json")]);
  const shared = Object.keys({ ...dependencies, ...devDependencies })
    .map((name) => `node_modules/${name}`)
    .filter((folder) => folder in ofTests);
  const versions = (lock: Lock) => shared.map((folder) => `${folder} ${lock[folder]?.version}`);
  expect(versions(ofTests)).toEqual(versions(own));
});

async function readLock(file: string): Promise<Lock> {
  return JSON.parse(await readFile(file, "utf8")).packages;
}
