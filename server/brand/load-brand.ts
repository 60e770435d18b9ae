import { readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import type { BrandFile } from "../../schemas/types.ts";
import { addHash, type Build, type OwnAssets } from "../platform/assets.ts";
import { describeJsonFault } from "../platform/describe-json-fault.ts";
import type { ShopFolder } from "../platform/shop-folder.ts";
import { createValidator, keepValid } from "../platform/validate.ts";
import {
  type Brand,
  brandImages,
  deriveColors,
  type FontFiles,
  type LogoImage,
  mergeBrand,
  ownStyle,
} from "./brand.ts";
import { findLowContrasts } from "./contrast.ts";
import { findSvgFaults } from "./find-svg-faults.ts";

interface LoadedBrand {
  brand: Brand;
  /** The stylesheets with the brand's tokens, and the files of its font. */
  assets: OwnAssets["files"];
  /** Each fault as `brand.json /field message`. */
  faults: string[];
}

/** Every page loads the logo and the favicon, so they must be small. The largest social image that all sites show. */
const mostKilobytes = { drawing: 10, socialImage: 300 };
/** How a file of each kind begins: https://www.w3.org/TR/png-3/#5PNG-file-signature and JFIF's start of image. */
const signatures: Readonly<Record<string, Buffer>> = {
  ".png": Buffer.from("89504e470d0a1a0a", "hex"),
  ".jpg": Buffer.from("ffd8ff", "hex"),
};
const defaultHeight = 36;

/**
 * Loads the brand of a shop: the built-in one, overridden by the valid fields of the shop's brand.json.
 * @param iconStyle - the shop's own icons' changes to the stylesheets, as CSS
 */
export function loadBrand({ files }: ShopFolder, build: Build, iconStyle = ""): LoadedBrand {
  const faults: string[] = [];
  const path = files.get("brand.json");
  const own = path === undefined ? {} : readBrandFile(path);
  const wrong = faults.map((fault) => fault.split(" ", 1)[0] ?? "");
  // A wrong field of the font may have been meant to name them.
  if (wrong.every((field) => /^\/(?!type\b)/.test(field))) faults.push(...findUnnamedFonts(own, files));
  const fonts = readFonts(own);
  const images = new Map<string, { file: string; content: Buffer }>();
  const brand = mergeBrand(own, own.logo && readLogo(own.logo));
  if (own.favicon) readImage("favicon", own.favicon.file);
  if (own.socialImage) readSocialImage(own.socialImage.file);
  faults.push(...findLowContrasts(own, new Set([...wrong, ...findUnderived(wrong, own)])));
  const style = (named: FontFiles) => iconStyle + (path === undefined ? "" : ownStyle(brand, named));
  const styled = path === undefined && !iconStyle ? new Map() : makeAssets(style, fonts, build);
  const assets = new Map([...styled, ...images]);
  return { brand, assets, faults: faults.map((fault) => `brand.json ${fault.trimStart()}`) };

  /**
   * @returns the valid fields
   */
  function readBrandFile(file: string): BrandFile {
    let content: unknown;
    try {
      content = JSON.parse(readFileSync(file, "utf8"));
    } catch (error) {
      faults.push(describeJsonFault(error));
      return {};
    }
    const validate = createValidator<BrandFile>("brand");
    const result = validate(content);
    if (result.valid) return result.data;
    faults.push(...result.faults);
    return keepValid(content, validate) ?? {};
  }

  /** Reads a file that a field of the brand names. */
  function readNamed(file: string, field: string): Buffer | undefined {
    const source = files.get(file);
    if (source === undefined) faults.push(`${field} ${file} doesn't exist`);
    return source === undefined ? undefined : readFileSync(source);
  }

  /** Reads the files of the brand's font. Its licence must be in the same folder, but isn't served to browsers. */
  function readFonts({ type }: BrandFile): Map<string, Buffer> {
    const contents = new Map<string, Buffer>();
    if (!type?.font) return contents;
    readNamed(type.font.licence, "/type/font/licence");
    for (const [index, { file }] of type.font.files.entries()) {
      const field = `/type/font/files/${index}/file`;
      const content = readNamed(file, field);
      if (content && content.toString("latin1", 0, 4) !== "wOF2") faults.push(`${field} ${file} isn't a WOFF2 file`);
      if (content) contents.set(file, content);
    }
    return contents;
  }

  function readLogo({ file, height = defaultHeight }: NonNullable<BrandFile["logo"]>): LogoImage | undefined {
    const svg = readImage("logo", file);
    if (svg === undefined) return undefined;
    const [, width, drawnHeight] =
      /\bviewBox\s*=\s*["'](?:[^"'\s,]+[\s,]+){2}([^\s,]+)[\s,]+([^"'\s,]+)/.exec(svg) ?? [];
    return { width: Math.round((Number(width) / Number(drawnHeight)) * height), height };
  }

  /** Reads an SVG that a field of the brand names, and adds it to the files for browsers. */
  function readImage(field: keyof typeof brandImages, file: string): string | undefined {
    const content = readNamed(file, `/${field}/file`);
    if (!content) return undefined;
    const svg = content.toString("utf8");
    const found = findSvgFaults(svg);
    found.push(...findLargeFile(content, mostKilobytes.drawing));
    faults.push(...found.map((fault) => `/${field}/file ${file} ${fault}`));
    images.set(brandImages[field], { file: brandImages[field], content });
    return svg;
  }

  function readSocialImage(file: string): void {
    const content = readNamed(file, "/socialImage/file");
    const signature = signatures[extname(file)];
    if (!content || !signature) return;
    const found = findLargeFile(content, mostKilobytes.socialImage);
    if (!content.subarray(0, signature.length).equals(signature)) found.push("isn't a PNG or JPEG file");
    faults.push(...found.map((fault) => `/socialImage/file ${file} ${fault}`));
    images.set(file, { file, content });
  }
}

function findLargeFile({ length }: Buffer, kilobytes: number): string[] {
  return length > kilobytes * 1024 ? [`must not be larger than ${kilobytes} kB`] : [];
}

/** Finds the fields of colours that are unknown because they derive from wrong ones. */
function findUnderived(wrong: readonly string[], { colors = {} }: BrandFile): string[] {
  return wrong
    .flatMap((field) => Object.keys(deriveColors({ [field.replace("/colors/", "")]: "#000000" })))
    .filter((name) => !Object.hasOwn(colors, name))
    .map((name) => `/colors/${name}`);
}

/** Finds files of the folder `fonts` that the brand doesn't name. */
function findUnnamedFonts({ type }: BrandFile, files: ShopFolder["files"]): string[] {
  const named = type?.font ? [type.font.licence, ...type.font.files.map(({ file }) => file)] : [];
  return [...files.keys()]
    .filter((file) => file.startsWith("fonts/") && !named.includes(file))
    .map((file) => `/type/font doesn't name ${file}`);
}

/** Appends the shop's own style to each stylesheet that declares the tokens of all pages. */
function makeAssets(styleWith: (fontFiles: FontFiles) => string, fonts: ReadonlyMap<string, Buffer>, build: Build) {
  const { folder, files, branded } = build;
  const named = new Map([...fonts].map(([file, content]) => [file, addHash(basename(file), content)]));
  const style = Buffer.from(styleWith(named));
  const styled = branded.map((name) => {
    const built = readFileSync(join(folder, files[name] ?? ""));
    return [name, { file: name, content: Buffer.concat([built, style]) }] as const;
  });
  return new Map([
    ...styled,
    ...[...fonts].map(([file, content]) => [file, { file: basename(file), content }] as const),
  ]);
}
