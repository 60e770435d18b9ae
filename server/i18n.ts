import { createInstance } from "i18next";
import type { TextKeys } from "../schemas/types.ts";
import { holdShortWords } from "./hold-short-words.ts";
import { baseOf, type Locales, messagesOf, placeholdersIn, pluralEndings } from "./locale-files.ts";
import type { Logger } from "./logger.ts";

export type Namespace = keyof TextKeys;

/** What a value that ends in a full stop, such as `Kava d.o.o.`, makes at the end of a sentence. */
const twoStops = /(?<!\.)\.\.(?!\.)/g;

/** Gives the text of a key with its placeholders filled; empty when the locale has no such text. */
export type Translate<N extends Namespace> = (key: TextKeys[N]) => string;

/** Looks up some texts of a namespace: an object of texts by their keys, as components get them. */
export function pickTexts<Key extends string>(keys: readonly Key[], text: (key: Key) => string) {
  return Object.fromEntries(keys.map((key) => [key, text(key)])) as Record<Key, string>;
}

export interface Texts {
  /**
   * Gives the texts of a namespace in one locale, or in its language where the locale lacks one (de-AT, then de). A
   * text may have plural forms, of which the value of its first placeholder chooses: `key_one`, `key_few`, `key_other`.
   * @param values - what the placeholders of the texts stand for
   */
  translator<N extends Namespace>(locale: string, namespace: N, values?: object): Translate<N>;
  /** Tells whether the locale or its language has a text. */
  has(locale: string, namespace: string, key: string): boolean;
  /** Lists the keys of a namespace that the locale or its language has, those with plural forms without their endings. */
  keys(locale: string, namespace: string): string[];
  /** Lists the namespaces for which the locale or its language has a file. */
  namespaces(locale: string): string[];
  /** Lists the placeholders of a text; none when there is no such text. */
  placeholders(locale: string, namespace: string, key: string): string[];
}

/**
 * Creates what looks texts up. A text that is looked up and isn't there is logged once. All locales share one instance of
 * the library, through translators of a fixed locale: changing the instance's language would mix concurrent requests.
 */
export async function createTexts(texts: Locales, logger: Logger): Promise<Texts> {
  const locales = Object.keys(texts).sort();
  const namespaces = [...new Set(Object.values(texts).flatMap(Object.keys))].sort();
  const instance = createInstance();
  await instance.init({
    resources: texts,
    supportedLngs: locales,
    fallbackLng: false,
    ns: namespaces,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    saveMissing: true,
    saveMissingTo: "current",
    missingKeyHandler: logOnce(logger),
    parseMissingKeyHandler: () => "",
  });
  const counted = findCounted();
  return {
    has: (locale, namespace, key) => findText(locale, namespace, key) !== undefined,
    keys: (locale, namespace) => [
      ...new Set(messagesOf(texts, locale, namespace).flatMap((messages) => Object.keys(messages).map(baseOf))),
    ],
    namespaces: (locale) => namespaces.filter((namespace) => messagesOf(texts, locale, namespace).length > 0),
    placeholders: (locale, namespace, key) => placeholdersIn(findText(locale, namespace, key) ?? ""),
    translator(locale, namespace, values = {}) {
      const translate = instance.getFixedT<string>(locale, namespace);
      const given = new Map(Object.entries(values));
      return (key) => {
        const name = counted.get(`${namespace} ${key}`);
        const text = translate(String(key), { ...values, ...(name && { count: given.get(name) }) });
        return holdShortWords(locale, text.replace(twoStops, "."));
      };
    },
  };

  /** Finds the placeholder that each text with plural forms counts: the first in it. */
  function findCounted(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [namespace, messages] of Object.values(texts).flatMap(Object.entries<Record<string, string>>)) {
      for (const [key, text] of Object.entries(messages)) {
        const [name] = placeholdersIn(text);
        if (key !== baseOf(key) && name) found.set(`${namespace} ${baseOf(key)}`, name);
      }
    }
    return found;
  }

  /**
   * Finds a text, or one of its plural forms, without what the library does to translate it: at the start every text
   * of every country is looked for.
   */
  function findText(locale: string, namespace: string, key: string): string | undefined {
    for (const messages of messagesOf(texts, locale, namespace)) {
      const form = ["", ...pluralEndings].map((ending) => key + ending).find((name) => name in messages);
      if (form !== undefined) return messages[form];
    }
    return undefined;
  }
}

function logOnce(logger: Logger) {
  const logged = new Set<string>();
  return (locales: readonly string[], namespace: string, key: string) => {
    const locale = locales[0];
    const id = `${locale} ${namespace} ${key}`;
    if (logged.has(id)) return;
    logged.add(id);
    logger.warn({ locale, namespace, key }, "the locale lacks a text");
  };
}
