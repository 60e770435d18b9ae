import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { installDebianPackages } from "../support/debian-packages.ts";

/** Puts programs in front of the system's: an apt-get that fails at first, and a sudo that runs its arguments. */
async function plantPrograms(message: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "apt-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const programs = {
    "apt-get": `#!/bin/sh\necho "$@" >> ${folder}/calls\n[ -e ${folder}/tried ] && exit 0\ntouch ${folder}/tried\necho "E: ${message}" >&2\nexit 100\n`,
    sudo: '#!/bin/sh\nshift\nexec "$@"\n',
  };
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder, name), script);
    await chmod(join(folder, name), 0o755);
  }
  vi.stubEnv("PATH", [folder, process.env.PATH].join(delimiter));
  vi.spyOn(console, "log").mockReturnValue();
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => void vi.unstubAllEnvs());
  onTestFinished(() => void vi.restoreAllMocks());
  return folder;
}

it.each([
  ["Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)", true, 3],
  ["Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend)", true, 3],
  ["Unable to locate package made-up", false, 1],
])("the tests wait for a package manager that is busy: %s", async (message, isInstalled, calls) => {
  const folder = await plantPrograms(message);
  expect(installDebianPackages("made-up")).toBe(isInstalled);
  expect((await readFile(join(folder, "calls"), "utf8")).trim().split("\n")).toHaveLength(calls);
});
