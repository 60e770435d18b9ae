import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";

/** Where the parts of the built-in shop lie. */
export const builtIn = {
  locales: join(root, "locales"),
  logos: join(root, "client/footer/logos"),
  newsletterPictures: join(root, "client/newsletter/pictures"),
};

/**
 * Where the parts of a shop's own lie, in the folder that SHOP_DIR names. What has the name of a built-in part stands in
 * its place. A part that the folder hasn't is undefined.
 */
export interface ShopFolder {
  /** The folder itself; undefined leaves the built-in shop as it is. */
  own: string | undefined;
  /** Folder of the country files: the own ones, or the built-in ones where there are none. They are never mixed. */
  countries: string;
  /** Folder of texts, `<locale>/<namespace>.json` each. */
  locales: string | undefined;
  /** Folders of the logos of payment means, carriers and seals, of flags and of icons, `<name>.svg` each. */
  logos: string | undefined;
  flags: string | undefined;
  icons: string | undefined;
  /** Folder of pictures of the newsletter and of the demo. */
  pictures: string | undefined;
  /** The file that says how the shop looks. */
  brand: string | undefined;
}

/**
 * Finds the parts of a shop.
 * @param own - the folder that SHOP_DIR names
 */
export function findShop(own?: string): ShopFolder {
  const find = (name: string) => (own && isFolder(join(own, name)) ? join(own, name) : undefined);
  const countries = find("countries");
  const brand = own && join(own, "brand.json");
  return {
    own,
    countries: countries && globSync("*.*", { cwd: countries }).length > 0 ? countries : join(root, "countries"),
    locales: find("locales"),
    logos: find("logos"),
    flags: find("flags"),
    icons: find("icons"),
    pictures: find("pictures"),
    brand: brand && statSync(brand, { throwIfNoEntry: false }) ? brand : undefined,
  };
}

/**
 * Hashes every file of a shop's own, by its name and what it holds: equal folders have equal hashes on all replicas.
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
