import type { Font } from "../../schemas/types.ts";
import type { Brand, ColorName } from "./brand.ts";

/** The built names of the font files, by their names in the shop's folder. */
type FontFiles = ReadonlyMap<string, string>;

/** The colours that only variants of widgets use, and most pages don't need. */
export const variantColors: readonly ColorName[] = [
  "activating",
  "activatingDark",
  "sale",
  "saleDark",
  "community",
  "communityDark",
  "omnichannel",
  "omnichannelDark",
];
const namesOfVariants = new Set<string>(variantColors);

/**
 * Writes the design tokens of the built-in brand as CSS. A field's token has its name: `inkSoft` is `--sf-ink-soft`.
 * @param part - the tokens that all pages need, or those that only variants of widgets do
 */
export function builtInStyle(brand: Brand, part: "pages" | "variants"): string {
  const isOfVariants = ([name]: [string, string]) => namesOfVariants.has(name);
  const tokens = tokensOf(brand).filter((token) => isOfVariants(token) === (part === "variants"));
  return `.sf-root{${declare(tokens)}}`;
}

/**
 * Writes the design tokens and the font of a shop's own brand as CSS. Their specificity is higher than that of the
 * built-in tokens, so that they also apply when a script loads another built stylesheet later.
 * @param fontFiles - the font files, which lie beside the stylesheets
 */
export function ownStyle(brand: Brand, fontFiles: FontFiles): string {
  return `${fontFaces(brand.type.font, fontFiles)}.sf-root.sf-root{${declare(tokensOf(brand))}}`;
}

function tokensOf({ colors, type, radius, spacing }: Brand): [name: string, value: string][] {
  return Object.entries({
    ...colors,
    font: type.font ? `${nameFace(type.font)}, ${type.stack}` : type.stack,
    radius: `${radius.box}px`,
    radiusPill: `${radius.button}px`,
    space: `calc(${spacing} * var(--sf-rem))`,
  });
}

function declare(tokens: [name: string, value: string][]): string {
  return tokens.map(([name, value]) => `--sf-${toKebabCase(name)}:${value}`).join(";");
}

function fontFaces(font: Font | undefined, fontFiles: FontFiles): string {
  if (!font) return "";
  const faces = font.files.map(({ file, weight, range }) => {
    const descriptors = [
      `font-family:${nameFace(font)}`,
      `font-weight:${weight}`,
      "font-display:swap",
      `src:url("${fontFiles.get(file)}")format("woff2")`,
      ...(range ? [`unicode-range:${range}`] : []),
    ];
    return `@font-face{${descriptors.join(";")}}`;
  });
  return faces.join("");
}

/** Returns a name for the font that doesn't clash with a font of the page around a fragment. */
function nameFace({ family }: Font): string {
  return `"sf-${family}"`;
}

function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
