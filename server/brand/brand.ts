import builtIn from "../../brand.json" with { type: "json" };
import type { BrandFile, Colors, Font, Palette, Radius } from "../../schemas/types.ts";
import { darken } from "./color.ts";
import type { LogoImage } from "./read-logo.ts";

export type ColorName = keyof Colors;
export type PaletteColor = keyof Palette;

/** How the shop looks and what it is called, with every field that the schema `brand` describes. */
export interface Brand {
  name: string;
  legalNames: Record<string, string>;
  /** Undefined shows the name. */
  logo: LogoImage | undefined;
  colors: Required<Colors>;
  type: { stack: string; font?: Font };
  radius: Required<Radius>;
  spacing: number;
  mail: { stack: string; dark: Required<Palette> };
}

/**
 * Lays what a shop says of its brand over the built-in one, field by field.
 * @param logo - the image that the brand's logo names
 */
export function layOverBuiltIn(own: BrandFile, logo?: LogoImage): Brand {
  const { colors, type, radius, mail } = own;
  return {
    name: own.name ?? builtIn.name,
    legalNames: { ...builtIn.legalNames, ...own.legalNames },
    logo,
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

/** The colours that are darker ones of others, which stand on buttons under the pointer. */
const darker = [
  ["accentDark", "accent"],
  ["activatingDark", "activating"],
  ["saleDark", "sale"],
  ["communityDark", "community"],
  ["omnichannelDark", "omnichannel"],
] as const;

/** Gives the colours that follow from those of a shop. */
function deriveColors(own: Colors): Colors {
  const derived: Colors = own.accent ? { focus: own.accent } : {};
  for (const [dark, color] of darker) if (own[color]) derived[dark] = darken(own[color]);
  return derived;
}
