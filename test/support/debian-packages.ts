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
