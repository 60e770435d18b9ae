import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Footer } from "../../schemas/types.ts";
import { findGaps } from "../../server/sites/find-gaps.ts";
import { textValues } from "../../server/sites/legal-texts.ts";
import { footerTextLocale, imprintTexts, sharedFooterTexts } from "../../server/sites/site.ts";
import { createTestApp, siteOf, sites } from "../support/test-app.ts";
import { loadOwnShop } from "../support/write-shop.ts";

type Messages = Record<string, string>;

const { deps } = await createTestApp();
const folders = readdirSync("locales").sort();
const namespacesOf = (locale: string) =>
  folders.includes(locale) ? readdirSync(join("locales", locale)).map((file) => file.replace(".json", "")) : [];
const read = (locale: string, namespace: string): Messages =>
  namespacesOf(locale).includes(namespace)
    ? JSON.parse(readFileSync(join("locales", locale, `${namespace}.json`), "utf8"))
    : {};

const footerLocales = [...new Set(sites.map(footerTextLocale))].sort();
const pageLocales = [...new Set(sites.map(({ locale }) => locale))].sort();
/** The key of a text without the ending of a plural form. */
const baseOf = (key: string) => key.replace(/_[a-z]+$/, "");
/** The texts by their keys, with one plural form of those that have several. */
const byKey = (messages: Messages): Messages =>
  Object.fromEntries(Object.entries(messages).map(([key, text]) => [baseOf(key), text]));
const linkNames = (text = "") => [...text.matchAll(/\[[^\]]+\]\((\w+)\)/g)].map(([, name]) => name).sort();
const placeholders = (text = "") => [...text.matchAll(/{{\s*(\w+)\s*}}/g)].map(([, name]) => name).sort();

const countrySources = globSync("countries/*.ts").map((file) => readFileSync(file, "utf8"));
const usedByCountries = new Set(
  Object.keys(byKey(read("de", "footer"))).filter((key) =>
    countrySources.some((source) => source.includes(`"${key}"`)),
  ),
);

/** The text keys of a footer. */
const keysOf = (footer: Footer): string[] => JSON.stringify(footer).match(/(?<=:")[a-z]\w*\.[\w.]+(?=")/g) ?? [];

/** Every text of a namespace as a locale gives it, its own and its language's. */
function effective(locale: string, namespace: string): Messages {
  const [language = ""] = locale.split("-");
  return { ...read(language, namespace), ...read(locale, namespace) };
}

it("has a folder for every locale of the countries, and for no other", () => {
  const languages = pageLocales
    .map((locale) => locale.split("-")[0] ?? "")
    .filter((language) => folders.includes(language));
  expect(folders).toEqual([...new Set([...footerLocales, ...pageLocales, ...languages, "en"])].sort());
});

/** All namespaces except the footer's, which has a locale of its own. */
const pageNamespaces = namespacesOf("de").filter((namespace) => namespace !== "footer");
const translated = [
  ...footerLocales.map((locale) => ({ locale, namespace: "footer" })),
  ...pageLocales.flatMap((locale) => pageNamespaces.map((namespace) => ({ locale, namespace }))),
];

it.each(translated)("the $namespace texts of $locale have only keys of de, with its placeholders and links", (file) => {
  const german = byKey(read("de", file.namespace));
  const own = effective(file.locale, file.namespace);
  expect(Object.keys(german)).toEqual(expect.arrayContaining(Object.keys(byKey(own))));
  for (const [key, text] of Object.entries(own)) {
    expect(placeholders(text), key).toEqual(placeholders(german[baseOf(key)]));
    expect(linkNames(text), key).toEqual(linkNames(german[baseOf(key)]));
  }
});

it.each(globSync("examples/*/countries").map(dirname).sort())(
  "%s has every text that its countries need",
  async (folder) => {
    const { countries, texts } = await loadOwnShop(folder);
    expect(findGaps(countries.sites, texts)).toEqual([]);
  },
);

/** The placeholders for words, and for figures with their unit. Every other one is a figure alone. */
const wordings = [
  ...["sender", "shop", "name", "page", "fragment", "country", "site", "service", "state", "value"],
  ...["discount", "voucherValidity", "stopUnopenedAfter", "freeShippingFrom", "freeShippingWithCard", "phone"],
  ...["untilDate", "validUntil"],
];

/** A figure, or a placeholder for one, with a plain space before its unit or the counted word. */
const breakingFigure = new RegExp(
  `(?:\\d|\\{\\{(?!(?:${wordings.join("|")})\\}\\})\\w+\\}\\})\\.? [\\p{L}\\p{Sc}%]`,
  "u",
);

/** Every file, with those of the foreign shops that are an example. */
const paths = globSync("{,examples/*/}locales/*/*.json").sort();

describe.each(paths)("%s", (path) => {
  const source = readFileSync(path, "utf8");
  const texts = Object.entries<string>(JSON.parse(source));

  it("is a flat list of texts", () => {
    for (const [key, text] of texts) {
      expect(key).toMatch(/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)*(_(zero|one|two|few|many|other))?$/);
      expect(text, key).toBeTypeOf("string");
    }
  });

  it.each([
    ["stray or double spaces", /^\s|\s$|\s\s|^$/],
    ["markup or broken characters", /[<>\uFFFD]|&\w+;|\$t\(|Ã./],
    ["quotation marks and apostrophes of typewriters", /["']/],
    ["breaking space between a figure and its unit", breakingFigure],
    ["broken placeholders", /^(?!(?:[^{}]|{{\w+}})*$)/],
  ])("has no %s", (_what, pattern) => {
    for (const [key, text] of texts) expect(text, key).not.toMatch(pattern);
  });

  it("has every plural form of a text that has one", () => {
    const rules = new Intl.PluralRules(basename(dirname(path)));
    const forms = new Set(Array.from({ length: 366 }, (_item, index) => rules.select(index + 1)));
    const counting = texts.flatMap(([key]) => (key === baseOf(key) ? [] : [baseOf(key)]));
    const keys = texts.map(([key]) => key);
    for (const key of counting) {
      for (const form of forms) expect(keys).toContain(`${key}_${form}`);
      expect(keys).not.toContain(key);
    }
  });
});

it("writes no ß where Switzerland reads it", () => {
  const swiss = sites.filter(({ locale }) => locale.endsWith("-CH"));
  for (const site of swiss) {
    const read = [
      effective(footerTextLocale(site), "footer"),
      ...pageNamespaces.map((name) => effective(site.locale, name)),
    ];
    expect(
      read.flatMap(Object.entries).filter(([, text]) => text.includes("ß")),
      site.site,
    ).toEqual([]);
  }
});

describe.each(sites)("the texts of $site", ({ locale, footerLocale, facts, footer, imprint, newsletter }) => {
  const footerTexts = footerTextLocale({ locale, footerLocale });

  it("leave no placeholder when they are filled with its facts and those of an imprint", () => {
    const text = deps.texts.translator(footerTexts, "footer", { ...imprint, ...facts });
    const keys = keysOf(footer);
    const used = [...sharedFooterTexts, ...imprintTexts({ imprint }), ...new Set(keys)];
    expect(used.length).toBeGreaterThan(50);
    for (const key of used) {
      const filled = text(key as Parameters<typeof text>[0]);
      expect(filled, key).not.toMatch(/{{|}}|undefined|null|NaN|\[object/);
      expect(filled, key).toMatch(/^\S+(\s\S+)*$/);
    }
  });

  it("hold figures and units together", () => {
    const { discount, voucherValidity, stopUnopenedAfter } = textValues(locale, newsletter);
    for (const value of [discount, voucherValidity, stopUnopenedAfter, ...Object.values(facts)])
      expect(String(value)).not.toContain(" ");
  });

  it("ask on its pages for no fact that it lacks", () => {
    const asked = Object.values(effective(locale, "page")).flatMap(placeholders);
    const ofSite = asked.filter((name) => name !== "name" && name !== "page");
    expect(Object.keys(facts)).toEqual(expect.arrayContaining(ofSite));
  });
});

const sources = globSync("{client,server}/**/*.{ts,tsx}").map((file) => readFileSync(file, "utf8"));

it("every text of the footer is named by a country, or shown in every footer", () => {
  const unnamed = Object.keys(byKey(read("de", "footer"))).filter((key) => !usedByCountries.has(key));
  expect(unnamed.sort()).toEqual([...sharedFooterTexts, ...imprintTexts(siteOf("TR"))].sort());
});

it("every text of the widgets is used in a component", () => {
  const unused = Object.keys(byKey(read("de", "widgets"))).filter(
    (key) => !sources.some((source) => source.includes(`"${key}"`)),
  );
  expect(unused).toEqual([]);
});
