import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Installs packages that only a few tests need, and that would outnumber the product's.
 * @param folder - with the lock file of these packages
 * @throws Error if they can't be installed, so that no run skips the tests that need them
 */
export function installFolder(folder: string): void {
  if (existsSync(`${folder}/node_modules`)) return;
  const options = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  if (spawnSync("npm", options, { stdio: "inherit" }).status !== 0)
    throw new Error(`The packages of ${folder} could not be installed.`);
}
