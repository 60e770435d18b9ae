import type { Font } from "../../schemas/types.ts";
import type { Brand, ColorName } from "./brand.ts";

/** Names of the built font files, by their names in the shop's folder. */
type FontFiles = ReadonlyMap<string, string>;

/** The colours that only variants of widgets have: most pages do without. */
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
 * Writes the built-in brand's values for the design tokens. The names of colours are those of the fields: `inkSoft` is
 * `--sf-ink-soft`.
 * @param part - which of them
 */
export function builtInStyle(brand: Brand, part: "pages" | "variants"): string {
  const isOfVariants = ([name]: [string, string]) => namesOfVariants.has(name);
  const tokens = tokensOf(brand).filter((token) => isOfVariants(token) === (part === "variants"));
  return `.sf-root{${declare(tokens)}}`;
}

/**
 * Writes a shop's own values for all design tokens, and its font. They weigh more than the built-in ones, so that they
 * hold on a page whose script loads another of the built stylesheets later.
 * @param fontFiles - names of the files of the font, which lie beside the stylesheets
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

/** Gives the font a name that no font of a page around a fragment has. */
function nameFace({ family }: Font): string {
  return `"sf-${family}"`;
}

function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
