import { readdirSync } from "node:fs";
import { countryFile } from "../platform/shop-folder.ts";

/** Lists the country files of a folder by their names. */
export function findCountryFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => countryFile.test(file))
    .sort();
}

/** Lists the site codes of a folder's country files. */
export function findSites(folder: string): string[] {
  return findCountryFiles(folder).map(siteOf);
}

/** Returns the site code of a country's file: CH_FR for ch-fr.ts. */
export function siteOf(file: string): string {
  return file
    .replace(/^.*\/|\.\w+$/g, "")
    .toUpperCase()
    .replace("-", "_");
}

/** Returns the name of a site's file without its extension: ch-fr for CH_FR. */
export function fileNameOf(site: string): string {
  return site.toLowerCase().replace("_", "-");
}
