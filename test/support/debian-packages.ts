import { spawnSync } from "node:child_process";

/**
 * Installs packages of Debian's for the tests.
 * @returns whether they are there now
 */
export function installDebianPackages(...names: string[]): boolean {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "--non-interactive"];
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return [["update"], ["install", "--yes", "--no-install-recommends", ...names]].every((step) => {
    const [command = "", ...options] = [...sudo, "apt-get", ...step];
    console.log(`tests: ${[command, ...options].join(" ")}`);
    return spawnSync(command, options, { env, stdio: "inherit", timeout: 300_000 }).status === 0;
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
