import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { BrandFile } from "../../schemas/types.ts";
import { addHash, type Build, type OwnAssets } from "../platform/assets.ts";
import type { ShopFolder } from "../platform/shop-folder.ts";
import { createValidator, keepValid } from "../platform/validate.ts";
import {
  type Brand,
  type ColorName,
  channelsOf,
  deriveColors,
  type LogoImage,
  mergeBrand,
  ownStyle,
  type PaletteColor,
  variantColors,
} from "./brand.ts";
import { findSvgFaults } from "./find-svg-faults.ts";

interface LoadedBrand {
  brand: Brand;
  /** The stylesheets with the brand's tokens, and the files of its font. */
  assets: OwnAssets["files"];
  /** Each fault as `brand.json /field message`. */
  faults: string[];
}

/** Colours, each with the colours that are behind it anywhere on a page. */
type Pairs<Name extends string> = readonly (readonly [front: Name, behind: readonly Name[]])[];

/** Colours of texts. */
export const textPairs: Pairs<ColorName> = [
  [
    "ink",
    ["surface", "surfaceSoft", "surfaceStrong", "infoSurface", "successSurface", "warningSurface", "errorSurface"],
  ],
  ["inkSoft", ["surface", "surfaceSoft", "surfaceStrong"]],
  ["accent", ["surface", "surfaceSoft", "surfaceStrong"]],
  ["accentDark", ["surface", "surfaceSoft", "surfaceStrong", "line", "warningSurface", "errorSurface"]],
  ["onAccent", ["accent", "accentDark", ...variantColors]],
  ["surface", ["ink"]],
  ["info", ["surface"]],
  ["success", ["surface"]],
  ["warning", ["surface"]],
  ["error", ["surface", "surfaceStrong", "warningSurface", "errorSurface"]],
  ["omnichannel", ["surface", "infoSurface"]],
];

/** Colours of borders of fields, of icons, and of the outline of a focused element. */
export const markPairs: Pairs<ColorName> = [
  ["fieldLine", ["surface", "surfaceStrong"]],
  ["focus", ["surface", "surfaceSoft", "surfaceStrong", "infoSurface", "warningSurface", "errorSurface"]],
  ["info", ["infoSurface"]],
  ["success", ["successSurface"]],
  ["warning", ["warningSurface"]],
];

/** Colours of the texts of mails, on light and on dark screens. */
export const mailPairs: Pairs<PaletteColor> = [
  ["ink", ["surface", "surfaceStrong"]],
  ["inkSoft", ["surfaceSoft"]],
  ["accent", ["surface", "surfaceSoft", "surfaceStrong"]],
  ["accentDark", ["surface", "surfaceSoft"]],
  ["onAccent", ["accent"]],
];

/** Source: https://www.w3.org/TR/WCAG22/#contrast-minimum and #non-text-contrast */
const needed = { text: 4.5, mark: 3 };

/** The logo is inlined into every page. */
const mostBytes = 10 * 1024;
const defaultHeight = 36;

/** Loads the brand of a shop: the built-in one, overridden by the fields of the shop's brand.json that are right. */
export function loadBrand({ files }: ShopFolder, build: Build): LoadedBrand {
  const faults: string[] = [];
  const path = files.get("brand.json");
  const own = path === undefined ? {} : readBrandFile(path);
  const wrong = faults.map((fault) => fault.split(" ", 1)[0] ?? "");
  // A font with mistakes may have meant to name them.
  if (wrong.every((field) => /^\/(?!type\b)/.test(field))) faults.push(...findUnnamedFonts(own, files));
  const fonts = readFonts(own);
  const brand = mergeBrand(own, own.logo && readLogo(own.logo));
  faults.push(...findLowContrasts(brand, new Set([...wrong, ...findUnderived(wrong, own)])));
  const assets = path === undefined ? new Map() : makeAssets(brand, fonts, build);
  return { brand, assets, faults: faults.map((fault) => `brand.json ${fault.trimStart()}`) };

  /** @returns the fields that are right */
  function readBrandFile(file: string): BrandFile {
    let content: unknown;
    try {
      content = JSON.parse(readFileSync(file, "utf8"));
    } catch {
      faults.push("isn't valid JSON");
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

  /** Reads the files of the brand's font. Its licence must lie beside them, but isn't served to browsers. */
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
    const content = readNamed(file, "/logo/file");
    if (!content) return undefined;
    const svg = content.toString("utf8");
    const found = findSvgFaults(svg);
    if (content.length > mostBytes) found.push(`must not be larger than ${mostBytes / 1024} kB`);
    faults.push(...found.map((fault) => `/logo/file ${file} ${fault}`));
    const [, width, drawnHeight] =
      /\bviewBox\s*=\s*["'](?:[^"'\s,]+[\s,]+){2}([^\s,]+)[\s,]+([^"'\s,]+)/.exec(svg) ?? [];
    return {
      url: `data:image/svg+xml,${encodeURIComponent(svg)}`,
      width: Math.round((Number(width) / Number(drawnHeight)) * height),
      height,
    };
  }
}

/** Finds the colours, by their fields, that are unknown because they derive from wrong ones. */
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

/** Appends the brand's tokens to each stylesheet that has the tokens of all pages. */
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

/**
 * Finds colours without enough contrast to a colour behind them.
 * @param unknown - the fields of colours that nobody knows: no pair with one is compared
 * @returns each fault as `/field message`
 */
function findLowContrasts({ colors, mail }: Brand, unknown: ReadonlySet<string>): string[] {
  const faults = [
    ...compare(textPairs, colors, "/colors", needed.text),
    ...compare(markPairs, colors, "/colors", needed.mark),
    ...compare(mailPairs, colors, "/colors", needed.text),
    ...compare(mailPairs, mail.dark, "/mail/dark", needed.text),
  ];
  return [...new Set(faults)];

  function compare<Name extends string>(pairs: Pairs<Name>, known: Record<Name, string>, path: string, least: number) {
    return pairs.flatMap(([front, behind]) =>
      behind.flatMap((back) => {
        const contrast = contrastOf(known[front], known[back]);
        const [field, other] = [`${path}/${front}`, `${path}/${back}`];
        if (contrast >= least || unknown.has(field) || unknown.has(other)) return [];
        // Rounded down, so that it never looks like enough.
        const ratio = Math.floor(contrast * 100) / 100;
        return [`${field} has a contrast of ${ratio}:1 on ${other}, and needs ${least}:1`];
      }),
    );
  }
}

/** Returns the contrast of two colours, from 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrastOf(color: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(color), luminanceOf(other)].sort((one, two) => two - one);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the relative luminance of a colour, from 0 to 1: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
