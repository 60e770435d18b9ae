import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Installs what a few tests need beside the product's packages, which it would outnumber.
 * @param folder - with the lock file of these packages
 * @throws Error when they can't be installed, so that no run skips the tests that need them
 */
export function installFolder(folder: string): void {
  if (existsSync(`${folder}/node_modules`)) return;
  const options = ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
  if (spawnSync("npm", options, { stdio: "inherit" }).status !== 0)
    throw new Error(`The packages of ${folder} could not be installed.`);
}
