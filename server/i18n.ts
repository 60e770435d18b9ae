import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInstance } from "i18next";
import type { TextKeys } from "../schemas/types.ts";
import { StartError } from "./errors.ts";
import { holdShortWords } from "./hold-short-words.ts";
import type { Logger } from "./logger.ts";

/** The locale that has every text that a site needs. */
export const referenceLocale = "de";

export type Namespace = keyof TextKeys;

/** Gives the text of a key with its placeholders filled; empty when the locale has no such text. */
export type Translate<N extends Namespace> = (key: TextKeys[N]) => string;

/** Texts by locale, namespace and key. */
type Bundles = Record<string, Record<string, Record<string, string>>>;

/** What the keys of the plural forms of a text end with. */
const pluralEndings = ["_zero", "_one", "_two", "_few", "_many", "_other"];
const pluralKey = new RegExp(`^(.+)(?:${pluralEndings.join("|")})$`);

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
  /** Lists the namespaces of which the locale or its language has texts. */
  namespaces(locale: string): string[];
  /** Lists the placeholders of a text; none when there is no such text. */
  placeholders(locale: string, namespace: Namespace, key: string): string[];
}

/**
 * Loads every locale of a folder, whose files are named `<locale>/<namespace>.json`. A text that is looked up and isn't
 * there is logged once. All locales share one instance of the library, through translators of a fixed locale: changing
 * the instance's language would mix concurrent requests.
 * @throws StartError naming every file that is no JSON
 */
export async function loadTexts(folder: string, logger: Logger): Promise<Texts> {
  const bundles = readBundles(folder);
  const namespaces = [...new Set(Object.values(bundles).flatMap(Object.keys))].sort();
  const instance = createInstance();
  await instance.init({
    resources: bundles,
    supportedLngs: Object.keys(bundles),
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
    namespaces: (locale) => namespaces.filter((namespace) => hasTexts(locale, namespace)),
    placeholders: (locale, namespace, key) => namesIn(findText(locale, namespace, key) ?? ""),
    translator(locale, namespace, values = {}) {
      const translate = instance.getFixedT<string>(locale, namespace);
      const given = new Map(Object.entries(values));
      return (key) => {
        const name = counted.get(`${namespace} ${key}`);
        return holdShortWords(locale, translate(String(key), { ...values, ...(name && { count: given.get(name) }) }));
      };
    },
  };

  /** Finds the placeholder that each text with plural forms counts: the first in it. */
  function findCounted(): Map<string, string> {
    const found = new Map<string, string>();
    for (const bundle of Object.values(bundles)) {
      for (const [namespace, texts] of Object.entries(bundle)) {
        for (const [key, text] of Object.entries(texts)) {
          const [, base] = pluralKey.exec(key) ?? [];
          const [name] = namesIn(text);
          if (base && name) found.set(`${namespace} ${base}`, name);
        }
      }
    }
    return found;
  }

  /**
   * Finds a text, or one of its plural forms, without what the library does to translate it: at the start every text
   * of every country is looked for.
   */
  function findText(locale: string, namespace: string, key: string): string | undefined {
    for (const texts of textsOf(locale, namespace)) {
      const form = ["", ...pluralEndings].map((ending) => key + ending).find((name) => name in texts);
      if (form !== undefined) return texts[form];
    }
    return undefined;
  }

  function hasTexts(locale: string, namespace: string): boolean {
    return textsOf(locale, namespace).some((texts) => Object.keys(texts).length > 0);
  }

  /** Gives the texts of the locale, and those of its language. */
  function textsOf(locale: string, namespace: string): Record<string, string>[] {
    const [language = locale] = locale.split("-");
    return [...new Set([locale, language])].flatMap((name) => {
      const texts = bundles[name]?.[namespace];
      return texts ? [texts] : [];
    });
  }
}

/**
 * Reads every file of texts.
 * @throws StartError naming every file that is no JSON
 */
function readBundles(folder: string): Bundles {
  const bundles: Bundles = {};
  const faults: string[] = [];
  for (const file of globSync("*/*.json", { cwd: folder }).sort()) {
    const texts = parseTexts(readFileSync(join(folder, file), "utf8"));
    if (!texts) faults.push(`locales/${file} is no JSON`);
    const locale = dirname(file);
    bundles[locale] = { ...bundles[locale], [basename(file, ".json")]: texts ?? {} };
  }
  if (faults.length > 0) throw new StartError(faults);
  return bundles;
}

function parseTexts(json: string): Record<string, string> | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Lists the placeholders that stand in a text. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, name]) => name ?? []);
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
