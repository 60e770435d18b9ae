import { type ColorName, type PaletteColor, variantColors } from "./brand.ts";

/** Colours, each with all colours that are behind it anywhere on a page. */
export type Pairs<Name extends string> = readonly (readonly [front: Name, behind: readonly Name[]])[];

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

/** The colours of texts in emails, on light and on dark screens. */
export const mailPairs: Pairs<PaletteColor> = [
  ["ink", ["surface", "surfaceStrong"]],
  ["inkSoft", ["surfaceSoft"]],
  ["accent", ["surface", "surfaceSoft", "surfaceStrong"]],
  ["accentDark", ["surface", "surfaceSoft"]],
  ["onAccent", ["accent"]],
];
