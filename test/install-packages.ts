import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";

interface Manifest {
  version?: string;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const folder = import.meta.dirname;

/**
 * Installs the packages of test/package.json if they are missing or outdated.
 * @throws Error if they can't be installed, so that no run skips the tests that need them
 */
export function installPackages(): void {
  const { devDependencies = {}, optionalDependencies = {} } = read(folder);
  const ofPlatform = Object.entries(optionalDependencies).filter(([name]) => name.endsWith(`${platform()}-${arch()}`));
  const needed = [...Object.entries(devDependencies), ...ofPlatform];
  if (needed.every(([name, version]) => installedVersion(name) === version.replace(/^npm:.*@/, ""))) return;
  const options = ["ci", "--prefix", folder, "--loglevel=error", "--no-audit", "--no-fund"];
  console.log("tests: npm ci --prefix test");
  if (spawnSync("npm", options, { stdio: "inherit" }).status !== 0)
    throw new Error("The packages of test/package.json could not be installed.");
}

function installedVersion(name: string): string | undefined {
  const installed = join(folder, "node_modules", name);
  return existsSync(installed) ? read(installed).version : undefined;
}

function read(place: string): Manifest {
  return JSON.parse(readFileSync(join(place, "package.json"), "utf8"));
}

if (import.meta.main) installPackages();
