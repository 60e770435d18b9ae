import { type Brand, channelsOf } from "./brand.ts";
import { mailPairs, markPairs, type Pairs, textPairs } from "./contrast-pairs.ts";

/** Source: https://www.w3.org/TR/WCAG22/#contrast-minimum and #non-text-contrast */
const needed = { text: 4.5, mark: 3 };

/**
 * Finds colours without enough contrast to a colour behind them.
 * @param unknown - fields whose colours are unknown: no pair with one of them is compared
 * @returns each fault as `/field message`
 */
export function findLowContrasts({ colors, mail }: Brand, unknown: ReadonlySet<string>): string[] {
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
        // Rounded down, so that an insufficient ratio never looks sufficient.
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
