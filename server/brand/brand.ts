import builtIn from "../../brand.json" with { type: "json" };
import type { BrandFile, Colors, Font, Palette, Radius } from "../../schemas/types.ts";

/** The shop's own images, by their names among the built files. */
export const brandImages = { logo: "brand-logo.svg", favicon: "favicon.svg" } as const;

/** The size of the logo, in pixels. */
export interface LogoImage {
  width: number;
  height: number;
}

export type ColorName = keyof Colors;
export type PaletteColor = keyof Palette;

/** The shop's name and look, with every field of the schema `brand`. */
export interface Brand {
  name: string;
  /** The companies that run the sites, by site code: they replace the sites' names and imprints. */
  legalNames: Record<string, string>;
  /** What the sites' emails are about, by site code: they replace the sites' own topics. */
  topics: Record<string, string>;
  imprints: NonNullable<BrandFile["imprints"]>;
  /** Where researchers report vulnerabilities: a URI, or an email address. */
  securityContact: string | undefined;
  /** If undefined, the shop's name is shown. */
  logo: LogoImage | undefined;
  /** Whether the shop has an icon for the browser's tabs. */
  hasFavicon: boolean;
  /** The file that other sites show beside a link to the shop. */
  socialImage: string | undefined;
  colors: Required<Colors>;
  type: { stack: string; font?: Font };
  radius: Required<Radius>;
  spacing: number;
  mail: { stack: string; dark: Required<Palette> };
}

/**
 * Merges a shop's own brand into the built-in one, field by field.
 * @param logo - the image that the brand's logo names
 */
export function mergeBrand(own: BrandFile, logo?: LogoImage): Brand {
  const { colors, type, radius, mail } = own;
  return {
    name: own.name ?? builtIn.name,
    legalNames: { ...builtIn.legalNames, ...own.legalNames },
    topics: { ...own.topics },
    imprints: { ...own.imprints },
    securityContact: own.securityContact,
    logo,
    hasFavicon: own.favicon !== undefined,
    socialImage: own.socialImage?.file,
    spacing: own.spacing ?? builtIn.spacing,
    colors: { ...builtIn.colors, ...deriveColors({ ...colors }), ...colors },
    type: { ...builtIn.type, ...type },
    radius: { ...builtIn.radius, ...radius },
    mail: {
      stack: mail?.stack ?? type?.stack ?? builtIn.mail.stack,
      dark: { ...builtIn.mail.dark, ...mail?.dark },
    },
  };
}

/** The darker variants of colours, which buttons have under the pointer. */
const darker = [
  ["accentDark", "accent"],
  ["activatingDark", "activating"],
  ["saleDark", "sale"],
  ["communityDark", "community"],
  ["omnichannelDark", "omnichannel"],
] as const;

/** Derives the colours that a shop hasn't set from those that it has. */
export function deriveColors(own: Colors): Colors {
  const derived: Colors = own.accent ? { focus: own.accent } : {};
  for (const [dark, color] of darker) if (own[color]) derived[dark] = darken(own[color]);
  return derived;
}

/** Returns a colour with three quarters of its brightness. */
function darken(color: string): string {
  return writeColor(channelsOf(color).map((channel) => channel * 0.75));
}

/** Reads the red, green and blue of a colour such as `#6f4a2f`. */
export function channelsOf(color: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}

/** Writes a colour from its red, green and blue, 0 to 255 each. */
export function writeColor(channels: readonly number[]): string {
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}

/** The built names of the font files, by their names in the shop's folder. */
export type FontFiles = ReadonlyMap<string, string>;

/** Colours that only variants of widgets use. Most pages don't need them. */
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
 * Writes the design tokens of the built-in brand as CSS. A token has the name of its field: `inkSoft` is
 * `--sf-ink-soft`.
 * @param part - the tokens that all pages need, or those of widgets' variants only
 */
export function builtInStyle(brand: Brand, part: "pages" | "variants"): string {
  const isOfVariants = ([name]: [string, string]) => namesOfVariants.has(name);
  const tokens = tokensOf(brand).filter((token) => isOfVariants(token) === (part === "variants"));
  return `.sf-root{${declare(tokens)}}`;
}

/**
 * Writes the design tokens and the font of a shop's own brand as CSS. Their specificity is higher than that of the
 * built-in tokens, so that they still apply if a script later loads another built stylesheet.
 * @param fontFiles - the font files, which are in the folder of the stylesheets
 */
export function ownStyle(brand: Brand, fontFiles: FontFiles): string {
  return `${fontFaces(brand.type.font, fontFiles)}.sf-root.sf-root{${declare(tokensOf(brand))}}`;
}

function tokensOf({ colors, logo, type, radius, spacing }: Brand): [name: string, value: string][] {
  return Object.entries({
    ...colors,
    font: type.font ? `${nameFace(type.font)}, ${type.stack}` : type.stack,
    radius: `${radius.box}px`,
    radiusPill: `${radius.button}px`,
    space: `calc(${spacing} * var(--sf-rem))`,
    ...(logo && { logoWidth: `${logo.width}px`, logoHeight: `${logo.height}px` }),
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

/** Returns a name for the font that can't clash with a font of the host page. */
function nameFace({ family }: Font): string {
  return `"sf-${family}"`;
}

function toKebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
