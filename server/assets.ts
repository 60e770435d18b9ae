import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { StartError } from "./errors.ts";

/** Stylesheets and scripts: their names or their addresses, as each use says. */
export interface AssetNames {
  styles: string[];
  scripts: string[];
}

export interface Assets {
  /** Identifies the build, and the shop's own folder if there is one: equal on every replica of them. */
  build: string;
  /**
   * Gives the address of a file: below `ASSET_BASE_URL`, or a path of the page's origin where that isn't set.
   * @param name - the file's name in client/, for example footer.css
   * @param origin - put in front of a path, for readers that need an absolute address
   * @throws Error when the build has no such file
   */
  url(name: string, origin?: string): string;
  /** Gives the addresses of named files, in the same order. */
  urls(files: AssetNames): AssetNames;
  /** Gives the path of a file that browsers take from the page's own origin only, such as an icon sprite. */
  path(name: string): string;
  /** Origin of the files; undefined where it is the page's own. */
  origin: string | undefined;
  /** What the files hold that the start has made, by their names below /assets/. The others are in the build's folder. */
  made: ReadonlyMap<string, Buffer>;
}

/** What the build has made. */
export interface Build {
  id: string;
  /** Folder of the built files. */
  folder: string;
  /** Their names in the folder, by their names in client/. */
  files: Readonly<Record<string, string>>;
  /** Names in client/ of the stylesheets that a shop's own brand belongs into. */
  branded: readonly string[];
}

/** What a shop of its own puts in place of what the build has made. */
export interface OwnAssets {
  /** Identifies everything that the shop has of its own. */
  id: string;
  /** Files by the names of the built ones that they replace: each has a name of its own, as its type may differ. */
  files: ReadonlyMap<string, { file: string; content: Buffer }>;
}

/**
 * Reads which files the build has made.
 * @param folder - the folder of the built files and their manifest.json
 * @throws StartError when there is no build
 */
export async function readBuild(folder: string): Promise<Build> {
  try {
    const { build, files, branded } = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
    return { id: build, folder, files, branded };
  } catch {
    throw new StartError([`${folder}: no built assets, run the build first`]);
  }
}

/**
 * Creates the addresses of files.
 * @param baseUrl - the public address of the build's folder, without a trailing slash
 */
export function createAssets({ id, files }: Build, baseUrl?: string, own?: OwnAssets): Assets {
  const replaced = new Map<string, string>();
  const made = new Map<string, Buffer>();
  for (const [name, { file, content }] of own?.files ?? []) {
    const hashed = addHash(file, content);
    replaced.set(name, hashed);
    made.set(hashed, content);
  }
  const fileOf = (name: string) => {
    const file = replaced.get(name) ?? files[name];
    if (!file) throw new Error(`no asset "${name}" in this build`);
    return file;
  };
  const path = (name: string) => `/assets/${fileOf(name)}`;
  const url = (name: string, origin = "") => (baseUrl ? `${baseUrl}/${fileOf(name)}` : origin + path(name));
  return {
    build: own ? hashOf(`${id} ${own.id}`).slice(0, id.length) : id,
    url,
    urls: ({ styles, scripts }) => ({
      styles: styles.map((name) => url(name)),
      scripts: scripts.map((name) => url(name)),
    }),
    path,
    origin: baseUrl && new URL(baseUrl).origin,
    made,
  };
}

/** Puts a hash of what a file holds into its name, as the build does. */
export function addHash(file: string, content: Buffer): string {
  const ending = extname(file);
  return `${file.slice(0, -ending.length)}-${hashOf(content).slice(0, 8).toUpperCase()}${ending}`;
}

function hashOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
