import { readFileSync } from "node:fs";
import { findBrokenLetters } from "./broken-letters.ts";
import { describeJsonFault } from "./describe-json-fault.ts";
import { findFormFaults, placeholdersIn } from "./placeholders.ts";
import type { ShopFolder } from "./shop-folder.ts";
import { linkNames } from "./text-links.ts";

/** The locale that has all texts of the shop. */
export const referenceLocale = "de";

/** The keys of texts that countries name, by namespace: a shop may add texts to these. */
export type NamedTexts = Record<string, ReadonlySet<string>>;

/** A file of a shop's own texts, with or without faults. */
interface OwnFile {
  /** Its path as its author knows it. */
  file: string;
  locale: string;
  namespace: string;
  /** Undefined if the file isn't valid JSON; `fault` says where then. */
  content: unknown;
  fault?: string;
  texts: Record<string, string>;
}

/** Parses a file of texts. Drops `$schema`, and gaps, which aren't translated yet. */
export function parseTexts(source: string): Record<string, string> {
  return textsOf(JSON.parse(source));
}

/** The placeholder that any text may have, for the shop's name. */
const brandPlaceholder = "{{brand}}";

/** The namespaces in which any text may have `{{topics}}`, for what the newsletter is about. */
const withTopics = ["newsletter", "mail"];

/** Lists the placeholders that the translations of a text must have as well, sorted. */
export function sharedPlaceholders(text: string, namespace: string): string[] {
  return placeholdersIn(text.replaceAll(brandPlaceholder, ""))
    .filter((name) => !(name === "topics" && withTopics.includes(namespace)))
    .sort();
}

/** Writes the shop's name where texts have `{{brand}}`. */
export function fillBrand(texts: Record<string, string>, brand: string): Record<string, string> {
  const filled = Object.entries(texts).map(([key, text]) => [key, text.replaceAll(brandPlaceholder, () => brand)]);
  return Object.fromEntries(filled);
}

/** Reads all files in a shop's folder of locales. Misnamed files and files that aren't JSON have no texts. */
export function readOwnFiles({ files }: ShopFolder): OwnFile[] {
  return [...files].flatMap(([file, path]) => {
    if (!file.startsWith("locales/")) return [];
    const [, locale = "", namespace = ""] = /^locales\/([a-z]{2}(?:-[A-Z]{2})?)\/([^/]+)\.json$/.exec(file) ?? [];
    const parsed = parseJson(readFileSync(path, "utf8"));
    return [{ file, locale, namespace, ...parsed, texts: textsOf(parsed.content) }];
  });
}

/**
 * Checks own texts against those of the reference locale.
 * @param reference - the built-in texts of the reference locale, by namespace
 * @param named - undefined if they are unknown
 */
export function findOwnFaults(
  files: readonly OwnFile[],
  reference: ReadonlyMap<string, Record<string, string>>,
  named: NamedTexts | undefined,
): string[] {
  const namespaces = [...reference].filter(([, texts]) => Object.keys(texts).length > 0).map(([name]) => name);
  return files.flatMap(({ file, locale, namespace, content, fault: unreadable }) => {
    const fault = (message: string) => `${file} ${message}`;
    if (locale === "") return [fault("must be named locales/<locale>/<namespace>.json")];
    if (!namespaces.includes(namespace))
      return [fault(`isn't a namespace: it must be one of ${namespaces.join(", ")}`)];
    if (unreadable !== undefined) return [fault(unreadable)];
    const builtIn = byBase(reference.get(namespace) ?? {});
    const added = files.find((other) => other.locale === referenceLocale && other.namespace === namespace)?.texts;
    const models = new Map([...byBase(added ?? {}), ...builtIn]);
    const mayAdd = ["footer", "page"].includes(namespace);
    const isNamed = (base: string) => mayAdd && (named?.[namespace]?.has(base) ?? models.has(base));
    const isKnown = (base: string) => builtIn.has(base) || isNamed(base);
    return findTextFaults(content, namespace, models, isKnown).map((message) => fault(message.trimStart()));
  });
}

/**
 * Checks texts of a namespace against those of the reference locale.
 * @param models - the texts of the reference locale, from `byBase`
 * @param isKnown - whether a key (without plural suffix) is allowed
 * @returns each fault as `/key message`
 */
export function findTextFaults(
  content: unknown,
  namespace: string,
  models: ReadonlyMap<string, string>,
  isKnown: (key: string) => boolean,
): string[] {
  if (!isObject(content)) return [" must hold texts by their keys"];
  return entriesOf(content).flatMap(([key, text]) => {
    const base = baseOf(key);
    if (typeof text !== "string") return [`/${key} must be a text`];
    if (!isKnown(base)) return [`/${key} is not known`];
    const faults = [...findFormFaults(text), ...findMarkFaults(text, models.get(base) ?? text, namespace)];
    return [...findBrokenLetters(text, `/${key}`), ...faults.map((message) => `/${key} ${message}`)];
  });
}

export const pluralEndings = ["_zero", "_one", "_two", "_few", "_many", "_other"];

/** Marks a text of another locale as not yet translated. */
export function markGap(text: string): string {
  return `‹${text}›`;
}

function isGap(text: string): boolean {
  return text.startsWith("‹") && text.endsWith("›");
}

const pluralEnding = new RegExp(`(?:${pluralEndings.join("|")})$`);

/** Returns the key of a text without a plural suffix. */
export function baseOf(key: string): string {
  return key.replace(pluralEnding, "");
}

/** Compares the placeholders and links of a text with those of the text that it translates. */
function findMarkFaults(text: string, model: string, namespace: string): string[] {
  const kinds = [
    ["placeholder", (source: string) => sharedPlaceholders(source, namespace).map((name) => `{{${name}}}`)],
    [
      "link",
      (source: string) =>
        linkNames(source)
          .sort()
          .map((name) => `(${name})`),
    ],
  ] as const;
  return kinds.flatMap(([kind, marksIn]) => {
    const [found, wanted] = [text, model].map((source) => marksIn(source).join(" "));
    if (found === wanted) return [];
    return [wanted ? `must have each ${kind} once: ${wanted}` : `must have no ${kind}, and has ${found}`];
  });
}

/** Returns one text for each key without its plural suffix. */
export function byBase(texts: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(texts).map(([key, text]) => [baseOf(key), text]));
}

/** Returns the texts of a parsed file, without `$schema` and without gaps. */
export function textsOf(content: unknown): Record<string, string> {
  if (!isObject(content)) return {};
  return Object.fromEntries(
    entriesOf(content).filter((entry): entry is [string, string] => typeof entry[1] === "string" && !isGap(entry[1])),
  );
}

function entriesOf({ $schema: _, ...content }: { $schema?: unknown }): [key: string, text: unknown][] {
  return Object.entries(content);
}

function isObject(content: unknown): content is object {
  return typeof content === "object" && content !== null && !Array.isArray(content);
}

function parseJson(source: string): Pick<OwnFile, "content" | "fault"> {
  try {
    return { content: JSON.parse(source) };
  } catch (error) {
    return { content: undefined, fault: describeJsonFault(error) };
  }
}
