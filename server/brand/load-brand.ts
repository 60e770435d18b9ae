import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { BrandFile } from "../../schemas/types.ts";
import { addHash, type Build, type OwnAssets } from "../assets.ts";
import type { ShopFolder } from "../shop-folder.ts";
import { createValidator } from "../validate.ts";
import { type Brand, layOverBuiltIn } from "./brand.ts";
import { ownStyle } from "./brand-style.ts";
import { findLowContrasts } from "./find-low-contrasts.ts";
import { readLogo } from "./read-logo.ts";

export interface LoadedBrand {
  brand: Brand;
  /** The stylesheets that the brand is in, and the files of its font. */
  assets: OwnAssets["files"];
  /** Every fault as `brand.json /field message`. */
  faults: string[];
}

/**
 * Loads the brand of a shop: the built-in one, and over it what the shop's own brand.json says.
 * @param sites - codes of the country sites there are
 */
export function loadBrand({ brand: path }: ShopFolder, build: Build, sites: readonly string[]): LoadedBrand {
  if (path === undefined) return { brand: layOverBuiltIn({}), assets: new Map(), faults: [] };
  const faults: string[] = [];
  const own = readBrandFile(path, faults);
  const read = (file: string, field: string) => readBeside(path, file, field, faults);
  const fonts = readFonts(own, read, faults);
  const brand = layOverBuiltIn(own, own.logo && readLogo(own.logo, read, faults));
  faults.push(...findUnknownSites(own, sites), ...findLowContrasts(brand));
  return { brand, assets: makeAssets(brand, fonts, build), faults: faults.map((fault) => `brand.json ${fault}`) };
}

/** @returns nothing of what is in the file when any of it is wrong */
function readBrandFile(path: string, faults: string[]): BrandFile {
  try {
    const result = createValidator<BrandFile>("brand")(JSON.parse(readFileSync(path, "utf8")));
    if (result.valid) return result.data;
    faults.push(...result.faults);
  } catch {
    faults.push("is no JSON");
  }
  return {};
}

/** Reads a file that the brand names. */
type ReadBeside = (file: string, field: string) => Buffer | undefined;

function readBeside(path: string, file: string, field: string, faults: string[]): Buffer | undefined {
  try {
    return readFileSync(join(dirname(path), file));
  } catch {
    faults.push(`${field} there is no file ${file}`);
    return undefined;
  }
}

function findUnknownSites({ legalNames }: BrandFile, sites: readonly string[]): string[] {
  const unknown = Object.keys(legalNames ?? {}).filter((site) => !sites.includes(site));
  return unknown.map((site) => `/legalNames/${site} is no site: it must be one of ${sites.join(", ")}`);
}

/** Reads the files of the brand's font. Its licence must lie beside them; browsers don't get that. */
function readFonts({ type }: BrandFile, read: ReadBeside, faults: string[]): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  if (!type?.font) return contents;
  read(type.font.licence, "/type/font/licence");
  for (const [index, { file }] of type.font.files.entries()) {
    const field = `/type/font/files/${index}/file`;
    const content = read(file, field);
    if (content && content.toString("latin1", 0, 4) !== "wOF2") faults.push(`${field} ${file} is no WOFF2 file`);
    if (content) contents.set(file, content);
  }
  return contents;
}

/** Puts the brand into each stylesheet that has the tokens of all pages. */
function makeAssets(brand: Brand, fonts: ReadonlyMap<string, Buffer>, { folder, files, branded }: Build) {
  const named = new Map([...fonts].map(([file, content]) => [file, addHash(basename(file), content)]));
  const style = Buffer.from(ownStyle(brand, named));
  const styled = branded.map((name) => {
    const built = readFileSync(join(folder, files[name] ?? ""));
    return [name, { file: name, content: Buffer.concat([built, style]) }] as const;
  });
  return new Map([
    ...styled,
    ...[...fonts].map(([file, content]) => [file, { file: basename(file), content }] as const),
  ]);
}
