import type { Font } from "../../schemas/types.ts";
import type { Brand } from "./brand.ts";

/** Names of the built font files, by their names in the shop's folder. */
type FontFiles = ReadonlyMap<string, string>;

/**
 * Writes the part of the stylesheets that is the brand's: its values for the design tokens, and its font. The names of
 * colours are those of the fields: `inkSoft` is `--sf-ink-soft`.
 * @param fontFiles - the files of the brand's font, which lie beside the stylesheets
 */
export function brandStyle({ colors, type, radius, spacing }: Brand, fontFiles: FontFiles = new Map()): string {
  const tokens = {
    ...colors,
    font: type.font ? `${nameFace(type.font)}, ${type.stack}` : type.stack,
    radius: `${radius.box}px`,
    radiusPill: `${radius.button}px`,
    space: `calc(${spacing} * var(--sf-rem))`,
  };
  const declarations = Object.entries(tokens).map(([name, value]) => `--sf-${toKebabCase(name)}:${value}`);
  return `${fontFaces(type.font, fontFiles)}.sf-root{${declarations.join(";")}}`;
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
