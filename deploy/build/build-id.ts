import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The folder of the build. `npm run dev` has a folder of its own, so that the two don't disturb each other. */
export const dist = process.argv.includes("--watch") ? ".dev" : "dist";
export const assets = join(dist, "assets");
export const manifestFile = join(assets, "manifest.json");

/** The folders and files that the build reads, in addition to the packages. */
const sourceFolders = ["server", "client", "countries", "deploy", "examples/new-shop", "locales", "schemas"];
const sourceFiles = ["build.mjs", "brand.json", "package.json", "package-lock.json", "vex.json"];

/** Hashes all sources. Equal sources have equal ids on every machine. */
export async function hashSources(): Promise<string> {
  const hash = createHash("sha256");
  const sources = [...sourceFolders.flatMap(listFiles), ...sourceFiles];
  for (const file of sources.sort()) hash.update(file).update(await readFile(file));
  return hash.digest("hex").slice(0, 12);
}

/** Lists the files of a folder, including those that begin with a dot. */
function listFiles(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

/** Returns the id of the build in `dist/`, or undefined if there is none. */
export async function readBuildId(): Promise<string | undefined> {
  return existsSync(manifestFile) ? JSON.parse(await readFile(manifestFile, "utf8")).build : undefined;
}
