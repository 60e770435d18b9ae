import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { StartError } from "./errors.ts";

/** Stylesheets and scripts: their names or their addresses, as each use says. */
export interface AssetNames {
  styles: string[];
  scripts: string[];
}

export interface Assets {
  /** Identifies the build: equal on every replica of it. */
  build: string;
  /**
   * Gives the address of a built file: below `ASSET_BASE_URL`, or a path of the page's origin where that isn't set.
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
}

interface AssetManifest {
  build: string;
  files: Record<string, string>;
}

/**
 * Reads which files the build has made.
 * @param folder - the folder of the built files and their manifest.json
 * @param baseUrl - the public address of that folder, without a trailing slash
 * @throws StartError when there is no build
 */
export async function loadAssets(folder: string, baseUrl?: string): Promise<Assets> {
  const manifest = await readManifest(folder);
  const fileOf = (name: string) => {
    const file = manifest.files[name];
    if (!file) throw new Error(`no asset "${name}" in this build`);
    return file;
  };
  const path = (name: string) => `/assets/${fileOf(name)}`;
  const url = (name: string, origin = "") => (baseUrl ? `${baseUrl}/${fileOf(name)}` : origin + path(name));
  return {
    build: manifest.build,
    url,
    urls: ({ styles, scripts }) => ({
      styles: styles.map((name) => url(name)),
      scripts: scripts.map((name) => url(name)),
    }),
    path,
    origin: baseUrl && new URL(baseUrl).origin,
  };
}

async function readManifest(folder: string): Promise<AssetManifest> {
  try {
    return JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
  } catch {
    throw new StartError([`${folder}: no built assets, run the build first`]);
  }
}
