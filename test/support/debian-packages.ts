import { spawnSync } from "node:child_process";
import { type Milliseconds, minute, second } from "../../client/rules/time.ts";

/** How long a step may take, and how long it first waits for a busy package manager. */
const patience: Milliseconds = 5 * minute;
/** apt-get waits for the lock of dpkg. At those of its lists and archives it fails at once. */
const isLocked = /could not get lock|unable to (?:acquire|lock)/i;

/**
 * Installs Debian packages for the tests. Waits if another program is installing packages.
 * @returns whether they are now installed
 */
export function installDebianPackages(...names: string[]): boolean {
  const sudo = process.getuid?.() === 0 ? [] : ["sudo", "--non-interactive"];
  return [["update"], ["install", "--yes", "--no-install-recommends", ...names]].every((step) => {
    const [command = "", ...options] = [...sudo, "apt-get", "-o", `DPkg::Lock::Timeout=${patience / second}`, ...step];
    console.log(`tests: ${[command, ...options].join(" ")}`);
    return runUnlocked(command, options);
  });
}

/**
 * Repeats a step while another program holds a lock.
 * @returns whether it has succeeded
 */
function runUnlocked(command: string, options: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  const end = performance.now() + patience;
  for (;;) {
    const step = spawnSync(command, options, { env, stdio: ["inherit", "inherit", "pipe"], timeout: 2 * patience });
    process.stderr.write(step.stderr ?? "");
    if (step.status === 0) return true;
    if (!isLocked.test(String(step.stderr)) || performance.now() > end) return false;
    spawnSync("sleep", ["1"]);
  }
}

/**
 * Returns the path of a program from Debian, and installs it if it is missing.
 * @param ask - the option that prints its version
 * @throws Error if it can't be installed
 */
export function findOrInstall(program: string, ask: string, debianPackage: string): string {
  const find = () =>
    [program, `/usr/sbin/${program}`, `/usr/local/bin/${program}`].find((path) => spawnSync(path, [ask]).status === 0);
  const path = find() ?? (installDebianPackages(debianPackage) ? find() : undefined);
  if (!path) throw new Error(`The tests need ${program}, which could not be installed (${debianPackage}).`);
  return path;
}
