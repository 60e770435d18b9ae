import fc from "fast-check";
import type { Footer } from "../../schemas/types.ts";
import type { Site } from "../../server/sites/countries.ts";
import { footerTextLocale } from "../../server/sites/site.ts";
import { siteOf, texts } from "../support/test-app.ts";

/** Writes the content of a site as JSON, with a headline by which it can be recognized. */
export type WriteContent = (site: Site, headline: string) => string;

/** Returns the built-in content with another headline. */
export function contentOf(site: string, headline: string): string {
  return JSON.stringify(builtIn(siteOf(site), headline));
}

function builtIn(site: Site, headline: string): { footer: Footer; texts: Record<string, string> } {
  const known = texts.bundle(footerTextLocale(site), "footer");
  return { footer: structuredClone(site.footer), texts: { ...known, [site.footer.headline]: headline } };
}

const withTexts =
  (change: (known: Record<string, string>) => Record<string, string>): WriteContent =>
  (site, headline) => {
    const { footer, texts } = builtIn(site, headline);
    return JSON.stringify({ footer, texts: { ...texts, ...change(texts) } });
  };
const withLegalLinks =
  (count: number, link: (index: number) => object, text = "More"): WriteContent =>
  (site, headline) => {
    const { footer, texts } = builtIn(site, headline);
    const legalLinks = [...footer.legalLinks, ...Array.from({ length: count }, (_none, index) => link(index))];
    return JSON.stringify({ footer: { ...footer, legalLinks }, texts: { ...texts, more: text } });
  };
const appended = (end: (index: number) => string) =>
  withTexts((known) =>
    Object.fromEntries(Object.entries(known).map(([key, text], index) => [key, `${text}${end(index)}`])),
  );
const numbered = (index: number) => ({ url: `https://shop.example/${index}`, text: "more" });
/** Placeholders that the text library knows, but texts mustn't have. */
const otherForms = ["{{- x}}", "{{ y }}", "{{a.b}}", "{{constructor.name}}", "{{count, number}}", "{{{returnPeriod}}}"];
const nested = Array.from({ length: 9 }, (_none, level) => [`n${level}`, `$t(n${level + 1})`.repeat(10)]);

/** Contents that have harmed or could harm a service: one for each of nine sites. */
export const bombs: readonly WriteContent[] = [
  // A billion laughs.
  withTexts((known) => ({
    ...Object.fromEntries(Object.entries(known).map(([key, text]) => [key, `${text}$t(n0)`])),
    ...Object.fromEntries(nested),
    n9: "lol",
  })),
  // A text within itself.
  withTexts(() => ({ "legal.heading": "$t(legal.heading)" })),
  // Placeholders within placeholders.
  withTexts(() => ({ "legal.heading": `${"{{".repeat(480)}returnPeriod${"}}".repeat(480)}` })),
  // A huge text.
  withTexts(() => ({ "legal.heading": "a".repeat(200_000) })),
  // A long text that thousands of links show.
  withLegalLinks(2_000, numbered, "a".repeat(2_000)),
  // A fallback for each of many dates.
  withLegalLinks(900, (index) => ({ ...numbered(index), validFrom: new Date(index * 1e9).toISOString() })),
  appended((index) => otherForms[index % otherForms.length] ?? ""),
  // As many texts as an answer may have.
  withTexts(() => Object.fromEntries(Array.from({ length: 15_000 }, (_none, index) => [`k${index}`, "a"]))),
  appended((index) => ["\ud800", "\0", "\x1b[2J"][index % 3] ?? ""),
];

const pieces = [
  ...otherForms,
  ...["$t(legal.heading)", "$t(n, {", "{{", "}}", "{{returnPeriod}}", "{{x", "{{}}", "{{__proto__}}", "%s", "$&"],
  ...[
    "\ud800",
    "\0",
    "<script>",
    "</footer>",
    "&quot;",
    "\"'",
    "\u2028",
    "\u202e",
    "{",
    "}",
    "[a](b)",
    "🎉",
    "İ",
    "a".repeat(3_000),
  ],
  ...["a".repeat(900), " "],
];
const values = [
  ...[null, 0, -1, true, [], {}, "", "more", "legal.heading", "constructor", "__proto__", "/ok", "//evil", "/\u0000"],
  ...["javascript:x", "mailto:", "https://", "visa", "unknown", "a".repeat(100), "2027-01-01T00:00:00Z", "never"],
  ...[[[]], { text: "legal.heading", url: "/" }, [{ url: "/", text: "legal.heading" }]],
];

const change = fc.oneof(
  fc.record({
    part: fc.constant("text" as const),
    place: fc.nat(),
    piece: fc.constantFrom(...pieces),
    at: fc.nat(),
    as: fc.constantFrom("inserted", "inserted", "whole", "key"),
  }),
  fc.record({
    part: fc.constant("footer" as const),
    place: fc.nat(),
    value: fc.constantFrom(...values),
    as: fc.constantFrom("value", "value", "repeated", "removed"),
  }),
);
type Change = typeof change extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Built-in content with one to three random changes. The headline stays. */
export const changedContent: fc.Arbitrary<WriteContent> = fc
  .array(change, { minLength: 1, maxLength: 3 })
  .map((changes) => (site, headline) => {
    const content = builtIn(site, headline);
    for (const one of changes) apply(content, one, site.footer.headline);
    return JSON.stringify(content);
  });

function apply({ footer, texts: own }: ReturnType<typeof builtIn>, drawn: Change, headline: string) {
  if (drawn.part === "text") {
    const keys = Object.keys(own).filter((key) => key !== headline);
    const key = keys[drawn.place % keys.length] ?? "";
    const text = own[key] ?? "";
    const at = drawn.at % (text.length + 1);
    // Uses defineProperty, because an assignment to `__proto__` adds no key.
    if (drawn.as === "key")
      Object.defineProperty(own, drawn.piece, { value: text, enumerable: true, writable: true, configurable: true });
    else own[key] = drawn.as === "whole" ? drawn.piece : `${text.slice(0, at)}${drawn.piece}${text.slice(at)}`;
    return;
  }
  const { headline: _kept, ...parts } = footer;
  const places = placesIn(parts);
  const place = places[drawn.place % places.length];
  if (!place) return;
  const { parent, name } = place;
  const target = parent === parts ? footer : parent;
  const old = Reflect.get(target, name);
  if (drawn.as === "removed") Reflect.deleteProperty(target, name);
  else if (drawn.as === "repeated" && Array.isArray(old)) Reflect.set(target, name, repeat(old));
  else Reflect.set(target, name, structuredClone(drawn.value));
}

/**
 * Repeats a list up to 300 times, within the 256 KiB of an answer. A longer one wouldn't be content but a broken call.
 */
function repeat(list: unknown[]): unknown[] {
  const times = Math.min(300, Math.floor(150_000 / JSON.stringify(list).length));
  return Array(times).fill(list).flat().slice(0, 1_500);
}

/** Lists every field of a value, at any depth. */
function placesIn(parent: object): { parent: object; name: string }[] {
  return Object.entries(parent).flatMap(([name, child]) => [
    { parent, name },
    ...(typeof child === "object" && child !== null ? placesIn(child) : []),
  ]);
}
