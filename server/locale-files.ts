import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isGap } from "./sites/gap.ts";

/** The locale that has every text that a site needs. */
export const referenceLocale = "de";

/** Texts by locale, namespace and key. */
export type Locales = Record<string, Record<string, Record<string, string>>>;

export interface ReadLocales {
  locales: Locales;
  /**
   * Finds the files that are no JSON, and what is wrong with a shop's own texts.
   * @param named - the keys of all texts that countries name: their footers may have some beside the built-in ones
   * @returns each fault as `locales/<locale>/<namespace>.json /key message`
   */
  findFaults(named: ReadonlySet<string>): string[];
}

/** A file of texts, right or wrong. */
interface LocaleFile {
  /** Its path, as its author knows it. */
  file: string;
  locale: string;
  namespace: string;
  /** What it holds; undefined when it is no JSON. */
  content: unknown;
}

/** Reads the built-in texts, and over them, key by key, those of a shop's own. */
export function readLocales(builtIn: string, own?: string): ReadLocales {
  const files = readFolder(builtIn);
  const ownFiles = own === undefined ? [] : readFolder(own);
  return {
    locales: layOver([...files, ...ownFiles]),
    findFaults: (named) => [...findUnreadable([...files, ...ownFiles]), ...findTextFaults(ownFiles, files, named)],
  };
}

/** Reads every file of a folder of locales, which is to be named `<locale>/<namespace>.json`. */
function readFolder(folder: string): LocaleFile[] {
  return globSync("**/*.*", { cwd: folder })
    .sort()
    .map((path) => {
      const [, locale = "", namespace = ""] = /^([^/]+)\/([^/]+)\.json$/.exec(path) ?? [];
      return { file: `locales/${path}`, locale, namespace, content: parse(readFileSync(join(folder, path), "utf8")) };
    });
}

/** Lays files of texts over each other, key by key: a later one has the last word. */
function layOver(files: readonly LocaleFile[]): Locales {
  const locales: Locales = {};
  for (const { locale, namespace, content } of files) {
    locales[locale] ??= {};
    locales[locale][namespace] = { ...locales[locale][namespace], ...textsOf(content) };
  }
  return locales;
}

function findUnreadable(files: readonly LocaleFile[]): string[] {
  return files.filter(({ content }) => content === undefined).map(({ file }) => `${file} is no JSON`);
}

/** Checks own texts against the built-in ones of the reference locale, which has every key. */
function findTextFaults(
  own: readonly LocaleFile[],
  files: readonly LocaleFile[],
  named: ReadonlySet<string>,
): string[] {
  const isReference = ({ locale }: LocaleFile) => locale === referenceLocale;
  const known = byBase(layOver(files.filter(isReference)));
  const reference = byBase(layOver([...own, ...files].filter(isReference)));
  return own.flatMap(({ file, locale, namespace, content }) => {
    const fault = (message: string) => `${file} ${message}`;
    if (!/^[a-z]{2}(-[A-Z]{2})?$/.test(locale)) return [fault("must be named locales/<locale>/<namespace>.json")];
    const keys = known.get(namespace);
    if (!keys) return [fault(`is no namespace: it must be one of ${[...known.keys()].join(", ")}`)];
    if (content === undefined) return [];
    if (!isObject(content)) return [fault("must hold texts by their keys")];
    return entriesOf(content).flatMap(([key, text]) => {
      const base = baseOf(key);
      if (typeof text !== "string") return [fault(`/${key} must be a text`)];
      if (!keys.has(base) && !(namespace === "footer" && named.has(base))) return [fault(`/${key} is not known`)];
      const model = reference.get(namespace)?.get(base);
      return model === undefined ? [] : findMarkFaults(text, model).map((message) => fault(`/${key} ${message}`));
    });
  });
}

/** What the keys of the plural forms of a text end with. */
export const pluralEndings = ["_zero", "_one", "_two", "_few", "_many", "_other"];

const pluralEnding = new RegExp(`(?:${pluralEndings.join("|")})$`);

/** Gives the texts of a locale, and then those of its language, as far as there are any. */
export function messagesOf(locales: Locales, locale: string, namespace: string): Record<string, string>[] {
  const [language = locale] = locale.split("-");
  const found = [...new Set([locale, language])].map((name) => locales[name]?.[namespace]);
  return found.filter((messages) => messages !== undefined);
}

/** Gives the key of a text without the ending of a plural form. */
export function baseOf(key: string): string {
  return key.replace(pluralEnding, "");
}

/** Lists the placeholders that stand in a text. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, name]) => name ?? []);
}

/** Compares what stands in a text for something else with what does in the text that it is a translation of. */
function findMarkFaults(text: string, model: string): string[] {
  const kinds = [
    ["placeholder", (source: string) => placeholdersIn(source).map((name) => `{{${name}}}`)],
    ["link", (source: string) => [...source.matchAll(/\]\((\w+)\)/g)].map(([, name]) => `(${name})`)],
  ] as const;
  return kinds.flatMap(([kind, marksIn]) => {
    const [found, wanted] = [text, model].map((source) => marksIn(source).sort().join(" "));
    if (found === wanted) return [];
    return [wanted ? `must have each ${kind} once: ${wanted}` : `must have no ${kind}, and has ${found}`];
  });
}

/** Gives the texts of a locale by namespace and by key, one form of those with several. */
function byBase(locales: Locales): Map<string, Map<string, string>> {
  const namespaces = Object.entries(locales[referenceLocale] ?? {});
  return new Map(
    namespaces.map(([namespace, texts]) => [
      namespace,
      new Map(Object.entries(texts).map(([key, text]) => [baseOf(key), text])),
    ]),
  );
}

/** Gives the texts of a file without those that nobody has translated yet: `npm run country` marks them so. */
function textsOf(content: unknown): Record<string, string> {
  if (!isObject(content)) return {};
  return Object.fromEntries(
    entriesOf(content).filter((entry): entry is [string, string] => typeof entry[1] === "string" && !isGap(entry[1])),
  );
}

/** Lists what a file holds, but for the address of the schema by which editors check it. */
function entriesOf({ $schema: _, ...content }: { $schema?: unknown }): [key: string, text: unknown][] {
  return Object.entries(content);
}

function isObject(content: unknown): content is object {
  return typeof content === "object" && content !== null && !Array.isArray(content);
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
