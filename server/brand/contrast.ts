import type { BrandFile } from "../../schemas/types.ts";
import { channelsOf, deriveColors, mergeBrand, writeColor } from "./brand.ts";
import { mailPairs, markPairs, type Pairs, textPairs } from "./contrast-pairs.ts";

/** Source: https://www.w3.org/TR/WCAG22/#contrast-minimum and #non-text-contrast */
const needed = { text: 4.5, mark: 3 };

/** A colour without enough contrast to one behind it, as fields of the brand. */
interface LowContrast {
  front: string;
  back: string;
  contrast: number;
  least: number;
}

/**
 * Finds the colours of a shop without enough contrast, each once. Where a pair is too close, that is the fault of the
 * colour in front if the shop has set it, otherwise of the one behind it. For a derived colour, it is the fault of the
 * colour from which that derives.
 * @param own - the valid fields of the shop's brand
 * @param unknown - fields whose colours are unknown: no pair with one of them is compared
 * @returns each fault as `/field message`, with the nearest shade that would pass
 */
export function findLowContrasts(own: BrandFile, unknown: ReadonlySet<string>): string[] {
  const sources = new Map(
    Object.entries({ ...own.colors }).flatMap(([name, color]) =>
      Object.keys(deriveColors({ [name]: color })).map((derived) => [`/colors/${derived}`, `/colors/${name}`]),
    ),
  );
  const found = comparePairs(own, unknown);
  return [...Map.groupBy(found, causeOf)].map(([field, pairs]) => {
    const worst = pairs.reduce((one, other) => (other.contrast / other.least < one.contrast / one.least ? other : one));
    const others = pairs.length - 1;
    const also = others === 0 ? "" : `; ${others} other ${others === 1 ? "pair is" : "pairs are"} too close`;
    return `${field} ${field === worst.front ? "" : `must change: ${worst.front} `}${describe(worst)}${also}${suggest(field)}`;
  });

  /** Returns the field that a shop must change. */
  function causeOf({ front, back }: LowContrast): string {
    const causes = [front, back].map((field) => (colorAt(own, field) ? field : sources.get(field)));
    return causes.find((field) => field !== undefined) ?? front;
  }

  function suggest(field: string): string {
    const color = colorAt(own, field);
    const shade = color && shadesOf(color).find((other) => isEnough(setColor(own, field, other), field));
    return shade ? `; the nearest shade that passes is ${shade}` : "; no lighter or darker shade of it passes";
  }

  /** Whether a changed colour has enough contrast everywhere, and the change makes no other pair too close. */
  function isEnough(changed: BrandFile, field: string): boolean {
    return comparePairs(changed, unknown).every(
      (pair) => causeOf(pair) !== field && found.some(({ front, back }) => front === pair.front && back === pair.back),
    );
  }
}

function describe({ back, contrast, least }: LowContrast): string {
  // Rounded down, so that an insufficient ratio never looks sufficient.
  return `has a contrast of ${Math.floor(contrast * 100) / 100}:1 on ${back}, and needs ${least}:1`;
}

/** Compares all pairs of colours that pages and emails show. */
function comparePairs(own: BrandFile, unknown: ReadonlySet<string>): LowContrast[] {
  const { colors, mail } = mergeBrand(own);
  const low = [
    ...compare(textPairs, colors, "/colors", needed.text),
    ...compare(markPairs, colors, "/colors", needed.mark),
    ...compare(mailPairs, colors, "/colors", needed.text),
    ...compare(mailPairs, mail.dark, "/mail/dark", needed.text),
  ];
  return [...new Map(low.map((pair) => [`${pair.front} ${pair.back}`, pair])).values()];

  function compare<Name extends string>(pairs: Pairs<Name>, known: Record<Name, string>, path: string, least: number) {
    return pairs.flatMap(([name, behind]) =>
      behind.flatMap((other): LowContrast[] => {
        const [front, back] = [`${path}/${name}`, `${path}/${other}`];
        const contrast = contrastOf(known[name], known[other]);
        return contrast >= least || unknown.has(front) || unknown.has(back) ? [] : [{ front, back, contrast, least }];
      }),
    );
  }
}

/** Returns a colour of a shop's brand; undefined if the shop hasn't set it. */
function colorAt(own: BrandFile, field: string): string | undefined {
  const found = field
    .split("/")
    .slice(1)
    .reduce<unknown>((part, key) => Object(part)[key], own);
  return typeof found === "string" ? found : undefined;
}

function setColor(own: BrandFile, field: string, color: string): BrandFile {
  const name = field.split("/").at(-1) ?? "";
  if (field.startsWith("/colors/")) return { ...own, colors: { ...own.colors, [name]: color } };
  return { ...own, mail: { ...own.mail, dark: { ...own.mail?.dark, [name]: color } } };
}

/** The number of shades from a colour to black or white. */
const steps = 200;

/** Lists the shades of a colour from itself to black and to white, the nearest first. */
function shadesOf(color: string): string[] {
  const mix = (end: number, share: number) =>
    writeColor(channelsOf(color).map((channel) => channel + (end - channel) * share));
  return Array.from({ length: steps }, (_none, index) => (index + 1) / steps).flatMap((share) => [
    mix(0, share),
    mix(255, share),
  ]);
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
