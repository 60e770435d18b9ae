import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { AssetFiles } from "../../client/assets/AssetTags.tsx";
import { StartError } from "./errors.ts";

/** Stylesheets and scripts, by their names in client/. */
export interface AssetNames {
  styles: string[];
  scripts: string[];
}

export type Assets = ReturnType<typeof createAssets>;

/** A script or stylesheet, as its inventory lists it. */
export interface BuiltFile {
  /** Its name below /assets/. */
  file: string;
  /** Its hash, by which browsers check it: https://www.w3.org/TR/SRI/ */
  integrity: string;
  bytes: number;
  purpose: string;
  /** The paths that it requests on its page's origin, as prefixes. */
  calls: string[];
}

/** The output of the build. */
export interface Build {
  id: string;
  /** Folder of the built files. */
  folder: string;
  /** The names of the files in the folder, by their names in client/. */
  files: Readonly<Record<string, string>>;
  inventory: readonly BuiltFile[];
  /** Names in client/ of the stylesheets to which a shop's own brand is added. */
  branded: readonly string[];
}

/** A shop's files that replace built ones. */
export interface OwnAssets {
  /** Identifies the content of the shop's own folder. */
  id: string;
  /** The shop's files, by the names of the built files that they replace. Their own names differ if their types do. */
  files: ReadonlyMap<string, { file: string; content: Buffer }>;
}

/**
 * Reads the manifest of the build.
 * @param folder - the folder of the built files and their manifest.json
 * @throws StartError if there is no build
 */
export async function readBuild(folder: string): Promise<Build> {
  try {
    const { build, ...manifest } = JSON.parse(await readFile(join(folder, "manifest.json"), "utf8"));
    return { ...manifest, id: build, folder };
  } catch {
    throw new StartError([`${folder}: no built assets, run the build first`]);
  }
}

/**
 * Creates the URLs of the assets.
 * @param baseUrl - the public URL of the build's folder, without a trailing slash
 */
export function createAssets({ id, files, inventory: ofBuild }: Build, baseUrl?: string, own?: OwnAssets) {
  const replaced = new Map<string, string>();
  const made = new Map<string, Buffer>();
  for (const [name, { file, content }] of own?.files ?? []) {
    const hashed = addHash(file, content);
    replaced.set(name, hashed);
    made.set(hashed, content);
  }
  const ownNames = new Map([...replaced].map(([name, file]) => [files[name], file]));
  const inventory = ofBuild.map((built): BuiltFile => {
    const file = ownNames.get(built.file) ?? built.file;
    const content = made.get(file);
    return content ? { ...built, file, integrity: hashForBrowsers(content), bytes: content.length } : built;
  });
  const integrities = new Map(inventory.map(({ file, integrity }) => [file, integrity]));
  return {
    /** Identifies the build and the shop's own folder. Replicas with the same ones have the same id. */
    build: own ? hashOf(`${id} ${own.id}`).slice(0, id.length) : id,
    /** The origin of the files; undefined if it is the page's own. */
    origin: baseUrl && new URL(baseUrl).origin,
    /** The files generated at the start, by their names below /assets/. All others are in the build's folder. */
    made,
    /** Every script and stylesheet. */
    inventory,
    url,
    filesOf,
  };

  /**
   * Returns the URL of a file: below `ASSET_BASE_URL`, or, if that isn't set, a path on the page's origin.
   * @param name - the file's name in client/, for example footer.css
   * @param origin - prepended to a path, for callers that need an absolute URL
   * @throws Error if the build has no such file
   */
  function url(name: string, origin = ""): string {
    return baseUrl ? `${baseUrl}/${fileOf(name)}` : `${origin}/assets/${fileOf(name)}`;
  }

  /**
   * Returns files as a page loads them, in the same order.
   * @param origin - as for `url`
   */
  function filesOf({ styles, scripts }: AssetNames, origin?: string): AssetFiles {
    return {
      styles: styles.map((name) => ({ href: url(name, origin), integrity: integrityOf(name) })),
      scripts: scripts.map((name) => ({ src: url(name, origin), integrity: integrityOf(name), type: "module" })),
    };
  }

  function integrityOf(name: string): string {
    const integrity = integrities.get(fileOf(name));
    if (!integrity) throw new Error(`no integrity of "${name}" in this build`);
    return integrity;
  }

  function fileOf(name: string): string {
    const file = replaced.get(name) ?? files[name];
    if (!file) throw new Error(`no asset "${name}" in this build`);
    return file;
  }
}

/** Adds a hash of a file's content to its name, as the build does. */
export function addHash(file: string, content: Buffer): string {
  const ending = extname(file);
  return `${file.slice(0, -ending.length)}-${shortHash(content)}${ending}`;
}

/** Hashes a file's content for its URL. */
export function shortHash(content: string | Buffer): string {
  return hashOf(content).slice(0, 8).toUpperCase();
}

/** Hashes a file for the attribute `integrity`. */
export function hashForBrowsers(content: Buffer): string {
  return `sha384-${createHash("sha384").update(content).digest("base64")}`;
}

function hashOf(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
