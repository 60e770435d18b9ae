import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative, resolve } from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import type { Server } from "./start-server.ts";

/** The build of a service. */
export interface Build {
  /** The absolute path of its folder. */
  dist: string;
  /** The words with which Node is started, including the options of its `npm start`. */
  words: Server["words"];
}

/** Where built commits are kept. `npm ci` empties it. */
const cache = "node_modules/.cache/bench";
/** Files that no build needs at run time. */
const left = [".git", "docs", "node_modules", "test"];

/** Returns the build of the working tree, which `npm run bench` has built before. */
export function builtTree(): Build {
  return buildIn(resolve("dist"), packageJson.scripts.start);
}

/**
 * Returns the full name of a commit.
 * @param ref - a commit, branch or tag
 * @throws Error if git doesn't know it
 */
export function resolveCommit(ref: string): string {
  try {
    return git("rev-parse", "--verify", "--quiet", `${ref}^{commit}`);
  } catch {
    throw new Error(`git knows no commit "${ref}"`);
  }
}

/**
 * Returns the last release: the newest tag of a version, or without tags the commit that set the version. A tag of the
 * current commit doesn't count, as that is the release in progress.
 */
export function findLastRelease(): string {
  const earlier = ["--merged", "HEAD", "--no-contains", "HEAD"];
  const [tag] = git("tag", "--list", "v*", ...earlier, "--sort=-version:refname").split("\n");
  return tag || git("log", "-1", "--format=%H", "-G", '^  "version":', "--", "package.json");
}

/**
 * Builds a commit in a worktree of its own, with the packages of its lock file, unless it was built before.
 * @param commit - its full name
 * @throws Error if a step fails, after its output
 */
export function buildCommit(commit: string): Build {
  const kept = resolve(cache, commit);
  if (!existsSync(kept)) {
    const worktree = mkdtempSync(join(tmpdir(), "bench-"));
    git("worktree", "add", "--detach", "--force", worktree, commit);
    try {
      installPackages(worktree);
      run(worktree, process.execPath, "build.mjs");
      mkdirSync(cache, { recursive: true });
      // Early builds read countries, texts and schemas from beside their folder.
      const filter = (path: string) => !left.includes(relative(worktree, path));
      // In two steps, so that an interrupted copy isn't taken for a build.
      cpSync(worktree, `${kept}.part`, { recursive: true, filter });
      renameSync(`${kept}.part`, kept);
    } finally {
      git("worktree", "remove", "--force", worktree);
    }
  }
  return buildIn(join(kept, "dist"), JSON.parse(git("show", `${commit}:package.json`)).scripts.start);
}

/** Installs the packages of a worktree. If the lock files are equal, uses those of the working tree. */
function installPackages(worktree: string): void {
  const [own, other] = [".", worktree].map((folder) => readFileSync(join(folder, "package-lock.json"), "utf8"));
  if (own === other) symlinkSync(resolve("node_modules"), join(worktree, "node_modules"));
  else run(worktree, "npm", "ci", "--prefer-offline", "--no-audit", "--no-fund");
}

/** @param script - the script `start` of its package.json, which ends with Node and its arguments */
function buildIn(dist: string, script: string): Build {
  const [, options = ""] = /\bnode ((?:--\S+ )*)dist\/server\/main\.js$/.exec(script) ?? [];
  return { dist, words: [...options.split(" ").filter(Boolean), join(dist, "server/main.js")] };
}

/** Runs a step of a build. Its output goes to standard error, because the result goes to standard output. */
function run(cwd: string, program: string, ...words: string[]): void {
  const env = { ...process.env, PATH: [join(process.execPath, ".."), process.env.PATH].join(delimiter) };
  execFileSync(program, words, { cwd, env, stdio: ["ignore", 2, 2] });
}

function git(...words: string[]): string {
  return execFileSync("git", words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
}
