import type { Brand, PaletteColor } from "../../brand/brand.ts";

/** The parts of a mail that have a look of their own. */
type Part = "page" | "brand" | "card" | "heading" | "link" | "button" | "voucher";

type Property = "backgroundColor" | "borderColor" | "color";
type Colors = { [Name in Property]?: string };

/** How the brand makes mails look. */
export interface MailLook {
  fontFamily: string;
  /** Adds the light colours of a part to the styles of its element, and the name by which `darkColors` finds it. */
  paint<Style extends object>(part: Part, style: Style): { className: Part; style: Style & Colors };
  /** The style sheet with the dark colours. A mail program that drops it shows the light ones, or its own. */
  darkColors: string;
  /** Round corners, in pixels. */
  radius: { box: number; button: number };
}

/**
 * Which of the brand's colours each part has. On light and on dark screens, text is readable on every part that it
 * stands on: test/browser/mails.test.ts
 */
const parts: Record<Part, { [Name in Property]?: PaletteColor }> = {
  page: { backgroundColor: "surfaceSoft", color: "inkSoft" },
  brand: { color: "accentDark" },
  card: { backgroundColor: "surface", borderColor: "line", color: "ink" },
  heading: { color: "accentDark" },
  link: { color: "accent" },
  button: { backgroundColor: "accent", color: "onAccent" },
  voucher: { backgroundColor: "surfaceStrong", borderColor: "fieldLine", color: "ink" },
};

/** Corners that are rounder than a button is high make no difference, but some mail programs draw them wrongly. */
const roundest = 24;

/** Creates the look of mails from the brand's. */
export function createMailLook({ colors, mail, radius }: Brand): MailLook {
  const dark = Object.entries(parts).map(([part, fields]) => `.${part} { ${declare(pick(fields, mail.dark))} }`);
  return {
    fontFamily: mail.stack,
    paint: (part, style) => ({ className: part, style: { ...style, ...pick(parts[part], colors) } }),
    darkColors: `@media (prefers-color-scheme: dark) { ${dark.join(" ")} }`,
    radius: { box: radius.box, button: Math.min(radius.button, roundest) },
  };
}

function pick(fields: (typeof parts)[Part], palette: Readonly<Record<PaletteColor, string>>): Colors {
  return Object.fromEntries(Object.entries(fields).map(([property, field]) => [property, palette[field]]));
}

/** Writes declarations that win over the light colours on the elements. */
function declare({ backgroundColor, borderColor, color }: Colors): string {
  return Object.entries({ "background-color": backgroundColor, "border-color": borderColor, color })
    .filter(([, value]) => value)
    .map(([property, value]) => `${property}: ${value} !important;`)
    .join(" ");
}
