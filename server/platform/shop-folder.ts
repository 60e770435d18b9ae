import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.ts";

/** The folders of the built-in shop. */
export const builtIn = {
  locales: join(root, "locales"),
  logos: join(root, "client/features/footer/logos"),
  newsletterPictures: join(root, "client/features/newsletter/pictures"),
};

export type ShopFolder = ReturnType<typeof findShop>;

/**
 * Finds the folders and files of a shop; those that it doesn't have are undefined. A file replaces the built-in file of
 * the same name.
 * @param own - the folder that SHOP_DIR names; undefined leaves the built-in shop as it is
 */
export function findShop(own?: string) {
  const find = (name: string) => (own && isFolder(join(own, name)) ? join(own, name) : undefined);
  const countries = find("countries");
  const brand = own && join(own, "brand.json");
  return {
    own,
    /** The country files: the shop's, or the built-in ones where it has none. They are never mixed. */
    countries: countries && globSync("*.*", { cwd: countries }).length > 0 ? countries : join(root, "countries"),
    /** The texts, as `<locale>/<namespace>.json`. */
    locales: find("locales"),
    /** The logos of payment methods, carriers and seals, as `<name>.svg`. */
    logos: find("logos"),
    flags: find("flags"),
    icons: find("icons"),
    /** The pictures in the newsletter and the demo. */
    pictures: find("pictures"),
    /** The file that describes how the shop looks. */
    brand: brand && existsSync(brand) ? brand : undefined,
  };
}

/**
 * Hashes the names and contents of a shop's own files: equal folders have equal hashes on all replicas.
 * @returns undefined for the built-in shop
 */
export function hashShop({ own }: ShopFolder): string | undefined {
  if (own === undefined) return undefined;
  const hash = createHash("sha256");
  const parts = ["countries", "locales", "logos", "flags", "icons", "pictures", "fonts"];
  const files = parts.flatMap((part) => globSync("**/*.*", { cwd: join(own, part) }).map((file) => join(part, file)));
  for (const file of [...files, ...globSync("*.{json,svg}", { cwd: own })].sort())
    hash
      .update(file)
      .update("\0")
      .update(readFileSync(join(own, file)))
      .update("\0");
  return hash.digest("hex");
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
