/** The parts of a mail that have colours of their own. */
type Part = "page" | "brand" | "card" | "heading" | "link" | "button" | "voucher";

interface Colors {
  backgroundColor?: string;
  color?: string;
  borderColor?: string;
}

/**
 * The shop's colours, and what becomes of them in the dark. In both, text is readable on every part that it stands on:
 * test/browser/mails.test.ts
 */
const colors: Record<Part, { light: Colors; dark: Colors }> = {
  page: {
    light: { backgroundColor: "#faf6f0", color: "#5c524c" },
    dark: { backgroundColor: "#1b1714", color: "#c9bdb2" },
  },
  brand: { light: { color: "#54361f" }, dark: { color: "#f0dcc6" } },
  card: {
    light: { backgroundColor: "#ffffff", borderColor: "#d9cfc2", color: "#2b2522" },
    dark: { backgroundColor: "#2a2420", borderColor: "#51463d", color: "#f4ede6" },
  },
  heading: { light: { color: "#54361f" }, dark: { color: "#f0dcc6" } },
  link: { light: { color: "#6f4a2f" }, dark: { color: "#e6c9a8" } },
  button: {
    light: { backgroundColor: "#6f4a2f", color: "#ffffff" },
    dark: { backgroundColor: "#e6c9a8", color: "#2b2522" },
  },
  voucher: {
    light: { backgroundColor: "#efe6da", borderColor: "#857a72", color: "#2b2522" },
    dark: { backgroundColor: "#3a322c", borderColor: "#9c8f84", color: "#f4ede6" },
  },
};

/** Adds the light colours of a part to the styles of its element, and the name by which `darkColors` finds it. */
export function paint<Style extends object>(part: Part, style: Style): { className: string; style: Style & Colors } {
  return { className: part, style: { ...style, ...colors[part].light } };
}

/** The style sheet with the dark colours. A mail program that drops it shows the light ones, or its own. */
export const darkColors = `@media (prefers-color-scheme: dark) { ${Object.entries(colors)
  .map(([part, { dark }]) => `.${part} { ${declare(dark)} }`)
  .join(" ")} }`;

/** Writes declarations that win over the light colours on the elements. */
function declare({ backgroundColor, borderColor, color }: Colors): string {
  return Object.entries({ "background-color": backgroundColor, "border-color": borderColor, color })
    .filter(([, value]) => value)
    .map(([property, value]) => `${property}: ${value} !important;`)
    .join(" ");
}
