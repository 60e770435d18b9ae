import { type ExecFileSyncOptions, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** Came with the first release that starts on the tables of a later one. */
const firstThatStarts = "server/shop/store/migrate.ts";

/**
 * Builds the release before this one from the history, in a folder of its own, with the packages of this one, and gives
 * it its own to run with, as an image has them.
 * @returns the folder, which is the caller's to remove
 * @throws Error when the history isn't there, or the release can't be built
 */
export function buildPreviousRelease(): string {
  if (git("rev-parse", "--is-shallow-repository") === "true")
    throw new Error("the history is cut off, and the release before this one with it: git fetch --unshallow --tags");
  const folder = mkdtempSync(join(tmpdir(), "previous-release-"));
  const archive = execFileSync("git", ["archive", findPreviousRelease()], { maxBuffer: 256 * 1024 ** 2 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  const packages = join(folder, "node_modules");
  const options: ExecFileSyncOptions = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
  symlinkSync(resolve("node_modules"), packages);
  execFileSync(process.execPath, ["build.mjs"], options);
  rmSync(packages);
  execFileSync("npm", ["ci", "--omit=dev", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"], options);
  return folder;
}

/** Finds the last release with a tag, such as v1.2.0; before there is one, the first commit that can be started. */
function findPreviousRelease(): string {
  const tag = git("tag", "--list", "v*", "--merged", "HEAD^", "--sort", "-version:refname").split("\n")[0];
  const commit = tag || git("log", "--diff-filter=A", "--format=%H", "--", firstThatStarts).split("\n").at(-1);
  if (!commit) throw new Error(`no commit of the history has added ${firstThatStarts}`);
  return commit;
}

function git(...words: string[]): string {
  return execFileSync("git", words, { encoding: "utf8" }).trim();
}
