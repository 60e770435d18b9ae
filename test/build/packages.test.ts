import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

type Lock = Record<string, { version?: string; deprecated?: string }>;

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
