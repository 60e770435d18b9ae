import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";

/**
 * Where the parts of a shop lie: the built-in ones, and over them those of the folder that SHOP_DIR names, with the same
 * names. Of several folders, a later one has the last word. A part that the folder hasn't is undefined.
 */
export interface ShopFolder {
  /** The folder that SHOP_DIR names; undefined leaves the built-in shop as it is. */
  own: string | undefined;
  /** Folder of the country files. Those of the own folder take the place of all the built-in ones. */
  countries: string;
  /** Folders of texts, `<locale>/<namespace>.json` each. */
  locales: readonly string[];
  /** Folders of the logos of payment means, carriers and seals, `<source>.svg` each. */
  logos: readonly string[];
  /** The own folder of flags, `<name>.svg` each. */
  flags: string | undefined;
  /** The own folder of icons, `<name>.svg` each. */
  icons: string | undefined;
  /** The own folder of pictures of the newsletter and of the demo. */
  pictures: string | undefined;
  /** The own file that says how the shop looks. */
  brand: string | undefined;
}

/**
 * Finds the parts of a shop.
 * @param own - the folder that SHOP_DIR names
 */
export function findShop(own?: string): ShopFolder {
  const find = (name: string) => (own && isFolder(join(own, name)) ? join(own, name) : undefined);
  const over = (builtIn: string, name: string) =>
    [join(root, builtIn), find(name)].filter((path) => path !== undefined);
  const countries = find("countries");
  const brand = own && join(own, "brand.json");
  return {
    own,
    countries: countries && globSync("*.*", { cwd: countries }).length > 0 ? countries : join(root, "countries"),
    locales: over("locales", "locales"),
    logos: over("client/footer/logos", "logos"),
    flags: find("flags"),
    icons: find("icons"),
    pictures: find("pictures"),
    brand: brand && statSync(brand, { throwIfNoEntry: false }) ? brand : undefined,
  };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
