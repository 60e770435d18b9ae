import { spawnSync } from "node:child_process";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";

/** How long a step may take, and how long it waits before for a package manager that is busy. */
const patience: Milliseconds = 5 * minute;

/**
 * Installs packages of Debian's for the tests.
 * @returns whether they are there now
 */
export function installDebianPackages(...names: string[]): boolean {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "--non-interactive"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return [["update"], ["install", "--yes", "--no-install-recommends", ...names]].every((step) => {
    // Another program may be installing packages: apt-get waits for it.
    const [command = "", ...options] = [...sudo, "apt-get", "-o", `DPkg::Lock::Timeout=${patience / second}`, ...step];
    console.log(`tests: ${[command, ...options].join(" ")}`);
    return spawnSync(command, options, { env, stdio: "inherit", timeout: 2 * patience }).status === 0;
  });
}

/**
 * Returns the path of a program of Debian's, which is installed if it is missing.
 * @param ask - the option by which it says its version
 * @throws Error if it can't be installed
 */
export function findOrInstall(program: string, ask: string, debianPackage: string): string {
  const find = () =>
    [program, `/usr/sbin/${program}`, `/usr/local/bin/${program}`].find((path) => spawnSync(path, [ask]).status === 0);
  const path = find() ?? (installDebianPackages(debianPackage) ? find() : undefined);
  if (!path) throw new Error(`The tests need ${program}, which could not be installed (${debianPackage}).`);
  return path;
}
