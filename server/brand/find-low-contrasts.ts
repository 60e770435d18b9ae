import type { Brand, ColorName, PaletteColor } from "./brand.ts";
import { variantColors } from "./brand-style.ts";
import { contrastOf } from "./color.ts";

/** Colours, each with what is behind it somewhere: test/browser/brand.test.ts finds all there are. */
type Pairs<Name extends string> = readonly (readonly [front: Name, behind: readonly Name[]])[];

/** Colours of texts. */
export const textPairs: Pairs<ColorName> = [
  [
    "ink",
    ["surface", "surfaceSoft", "surfaceStrong", "infoSurface", "successSurface", "warningSurface", "errorSurface"],
  ],
  ["inkSoft", ["surface", "surfaceSoft", "surfaceStrong"]],
  ["accent", ["surface", "surfaceSoft", "surfaceStrong"]],
  ["accentDark", ["surface", "surfaceSoft", "surfaceStrong", "line", "warningSurface"]],
  ["onAccent", ["accent", "accentDark", ...variantColors]],
  ["surface", ["ink"]],
  ["info", ["surface", "surfaceSoft"]],
  ["success", ["surface", "surfaceSoft"]],
  ["warning", ["surface", "surfaceSoft"]],
  ["error", ["surface", "surfaceSoft", "surfaceStrong", "warningSurface", "errorSurface"]],
  ["omnichannel", ["surface", "infoSurface"]],
];

/** Colours of what else must be seen: borders of fields, icons, and the frame around what has the focus. */
export const markPairs: Pairs<ColorName> = [
  ["fieldLine", ["surface", "surfaceSoft", "surfaceStrong"]],
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

/**
 * Finds the colours that can't be told from what is behind them.
 * @returns each fault as `/field message`
 */
export function findLowContrasts({ colors, mail }: Brand): string[] {
  const faults = [
    ...compare(textPairs, colors, "/colors", needed.text),
    ...compare(markPairs, colors, "/colors", needed.mark),
    ...compare(mailPairs, colors, "/colors", needed.text),
    ...compare(mailPairs, mail.dark, "/mail/dark", needed.text),
  ];
  return [...new Set(faults)];
}

function compare<Name extends string>(pairs: Pairs<Name>, colors: Record<Name, string>, path: string, least: number) {
  return pairs.flatMap(([front, behind]) =>
    behind.flatMap((back) => {
      const contrast = contrastOf(colors[front], colors[back]);
      if (contrast >= least) return [];
      // Rounded down, so that it never looks like enough.
      const ratio = Math.floor(contrast * 100) / 100;
      return [`${path}/${front} has a contrast of ${ratio}:1 on ${path}/${back}, and needs ${least}:1`];
    }),
  );
}
