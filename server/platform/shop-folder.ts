import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./paths.ts";

/** The folders of the built-in shop. */
export const builtIn = {
  locales: join(root, "locales"),
  logos: join(root, "client/features/footer/logos"),
  newsletterPictures: join(root, "client/features/newsletter/pictures"),
};

export type ShopFolder = ReturnType<typeof findShop>;

/** The parts of a shop's own folder that the service reads: these folders, brand.json, and the brand's images. */
const read =
  /^(?:countries|locales|logos|flags|icons|pictures|fonts)(?:[/\\]|$)|^brand\.json$|^[^/\\]+\.(?:svg|png|jpg)$/;
/** Hidden files and editors' backups. A mounted ConfigMap begins with two dots, so it is refused. */
const beside = /(?:^|[/\\])\.(?!\.)|~$/;

/**
 * Whether the service reads a file, or the files below a folder.
 * @param path - in a shop's own folder
 */
export function isShopFile(path: string): boolean {
  return read.test(path) && !beside.test(path);
}

/** The name of a country's file. */
export const countryFile = /^[^./]+\.(?:ts|js|json)$/;

/**
 * Finds the files of a shop. A file replaces the built-in file of the same name.
 * @param own - the folder in SHOP_DIR; undefined for the built-in shop
 */
export function findShop(own?: string) {
  const entries =
    own !== undefined && isFolder(own)
      ? readdirSync(own, { withFileTypes: true })
          .filter(({ name }) => isShopFile(name))
          .flatMap(listBelow)
      : [];
  const named = entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const file = relative(own ?? "", path);
    return isShopFile(file) ? [{ file, path, isFile: entry.isFile() }] : [];
  });
  // In the same order on all replicas.
  named.sort((one, two) => (one.file < two.file ? -1 : 1));
  const files = new Map(named.flatMap(({ file, path, isFile }) => (isFile ? [[file, path]] : [])));
  const countries = [...files.keys()].filter((file) => file.startsWith("countries/"));
  // Linked country files count, too: they were meant to replace the built-in ones.
  const hasCountries =
    named.some(({ file }) => /^countries(?:\/|$)/.test(file)) && isFolder(join(own ?? "", "countries"));
  return {
    own,
    /** The paths of the files that the service reads, by their names in the shop's folder, such as `logos/visa.svg`. */
    files,
    /** The folder of the country files: the shop's, or the built-in ones if it has none. They are never mixed. */
    countries: join(own !== undefined && hasCountries ? own : root, "countries"),
    /** Faults in the names and kinds of files, each as `<file> message`. */
    faults: [
      ...named.filter(({ isFile }) => !isFile).map(({ file }) => `${file} must be a file or a folder, and not a link`),
      ...countries
        .filter((file) => !countryFile.test(relative("countries", file)))
        .map((file) => `${file} must be named countries/<name>.ts or .json`),
    ],
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Lists everything below a folder. Doesn't follow links, because they may lead to any file of the machine. */
function listBelow(entry: Dirent): Dirent[] {
  if (!entry.isDirectory()) return [entry];
  return readdirSync(join(entry.parentPath, entry.name), { withFileTypes: true }).flatMap(listBelow);
}

/**
 * Hashes the names and contents of a shop's own files: equal folders have equal hashes on all replicas.
 * @returns undefined for the built-in shop
 */
export function hashShop({ own, files }: ShopFolder): string | undefined {
  if (own === undefined) return undefined;
  const hash = createHash("sha256");
  for (const [file, path] of files) hash.update(file).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}
