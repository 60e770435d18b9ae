import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInstance, type i18n, type TFunction } from "i18next";
import Backend from "i18next-fs-backend";
import builtInBrand from "../../brand.json" with { type: "json" };
import type { TextKeys } from "../../schemas/types.ts";
import type { Logger } from "./logger.ts";
import {
  baseOf,
  byBase,
  fillBrand,
  findOwnFaults,
  type NamedTexts,
  parseTexts,
  pluralEndings,
  readOwnFiles,
  referenceLocale,
  textsOf,
} from "./own-texts.ts";
import { fillPlaceholders, placeholdersIn } from "./placeholders.ts";
import { findShop } from "./shop-folder.ts";

type Namespace = keyof TextKeys;

/** Returns the text of a key with its placeholders filled; empty if the locale lacks the text. */
export type Translate<N extends Namespace> = (key: TextKeys[N]) => string;

export type Texts = Awaited<ReturnType<typeof loadTexts>>["texts"];

/** Looks up texts. */
export type TextLookup = ReturnType<typeof createLookup>;

/**
 * Loads the built-in texts, overridden key by key by those of a shop's own folder. A missing text is logged once, when
 * it is looked up. All locales share one instance of the library, through translators with a fixed locale: changing the
 * instance's language would mix up concurrent requests.
 * @param brand - the shop's name, for `{{brand}}`
 */
export async function loadTexts(logger: Logger, builtIn: string, shop = findShop(), brand = builtInBrand.name) {
  const ownFiles = readOwnFiles(shop);
  const ownTexts = ownFiles.filter(({ locale }) => locale !== "");
  const files = listFiles(builtIn);
  const paths = [...files, ...ownTexts.map(({ locale, namespace }) => `${locale}/${namespace}`)];
  const unique = (part: 0 | 1) => [...new Set(paths.map((path) => path.split("/")[part] ?? ""))].sort();
  const [locales, allNamespaces] = [unique(0), unique(1)];
  const instance = createInstance();
  const unreadable: string[] = [];
  instance.on("failedLoading", (locale, namespace) => {
    if (files.includes(`${locale}/${namespace}`))
      unreadable.push(`locales/${locale}/${namespace}.json isn't valid JSON`);
  });
  await instance.use(Backend).init({
    backend: {
      loadPath: join(builtIn, "{{lng}}/{{ns}}.json"),
      parse: (source: string) => fillBrand(parseTexts(source), brand),
    },
    // Synchronous reading takes a third of the processor time of asynchronous reading at the start.
    initAsync: false,
    preload: locales,
    supportedLngs: locales,
    ns: allNamespaces,
    ...lookupOptions(logger),
  });
  const builtInReference = new Map(
    allNamespaces.map((namespace) => [namespace, { ...instance.getResourceBundle(referenceLocale, namespace) }]),
  );
  for (const { locale, namespace, texts } of ownTexts)
    instance.addResourceBundle(locale, namespace, fillBrand(texts, brand), true, true);
  const lookup = createLookup(instance);
  return { findFaults, texts: { ...lookup, brand, locales, namespaces, isOwn, isRead, placeOf } };

  /**
   * Finds unreadable files, and faults in the shop's own texts.
   * @param named - undefined if they are unknown
   * @returns each fault as `locales/<locale>/<namespace>.json /key message`
   */
  function findFaults(named: NamedTexts | undefined): string[] {
    return [...unreadable, ...findOwnFaults(ownFiles, builtInReference, named)];
  }

  /** Whether the shop's own file of a locale was readable. True if there is none. */
  function isRead(locale: string, namespace: string): boolean {
    return !ownTexts.some((own) => own.locale === locale && own.namespace === namespace && own.content === undefined);
  }

  /** Whether the shop itself wrote a text, for the locale or its language. */
  function isOwn(locale: string, namespace: string, key: string): boolean {
    const chain = fallbackChain(locale);
    const files = ownTexts.filter((own) => chain.includes(own.locale) && own.namespace === namespace);
    return files.some((own) => Object.hasOwn(own.texts, key));
  }

  /**
   * Returns where a text comes from: its key and its file, which may be that of the language; `built-in` if the shop
   * hasn't written it.
   */
  function placeOf(locale: string, namespace: string, key: string): string {
    const has = (texts: object = {}) => Object.keys(texts).some((name) => name === key || baseOf(name) === key);
    for (const name of fallbackChain(locale)) {
      const place = `locales/${name}/${namespace}.json /${key}`;
      const own = ownTexts.find((file) => file.locale === name && file.namespace === namespace);
      if (has(own?.texts)) return place;
      if (has(instance.getResourceBundle(name, namespace))) return `built-in ${place}`;
    }
    return `locales/${locale}/${namespace}.json /${key}`;
  }

  /** Lists the namespaces for which the locale or its language has a file. */
  function namespaces(locale: string): string[] {
    return allNamespaces.filter((namespace) =>
      fallbackChain(locale).some((name) => instance.hasResourceBundle(name, namespace)),
    );
  }
}

/**
 * Creates the lookup of one namespace in one locale, with the given texts only.
 * @param content - texts by their keys, without faults; gaps and `$schema` are ignored
 * @param brand - the shop's name, for `{{brand}}`
 */
export function createTexts(
  logger: Logger,
  locale: string,
  namespace: Namespace,
  content: object,
  brand = builtInBrand.name,
): TextLookup {
  const instance = createInstance();
  const resources = { [locale]: { [namespace]: fillBrand(textsOf(content), brand) } };
  // Not awaited, because there is nothing to load.
  void instance.init({ ...lookupOptions(logger), lng: locale, resources, initAsync: false });
  return createLookup(instance);
}

function lookupOptions(logger: Logger) {
  return {
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    saveMissing: true,
    saveMissingTo: "current",
    missingKeyHandler: logOnce(logger),
    parseMissingKeyHandler: () => "",
  } as const;
}

/** The texts of a namespace in a locale. */
interface NamespaceTexts {
  translate: TFunction;
  /** By their full keys: those of the locale over those of its language. */
  bundle: Record<string, string>;
  /** By their keys without the ending of a plural form: the texts as they are written, one of several forms. */
  written: ReadonlyMap<string, string>;
  /** The placeholder whose value chooses between the plural forms of a text. */
  countedBy: ReadonlyMap<string, string>;
  /** Texts without plural forms that were looked up: looking one up in the library costs twenty times as much. */
  plain: Map<string, string>;
}

function createLookup(instance: i18n) {
  const known = new Map<string, NamespaceTexts>();
  return { translator, find, bundle };

  /**
   * Returns the translator of a namespace. Texts are those of the locale, else of its language (de-AT, then de). The
   * plural form of a text (`key_one`, `key_few`, `key_other`) is chosen by the value of its first placeholder.
   * The library's own placeholders and nesting are off: they know more forms than texts may have, and one text could
   * expand without end.
   * @param values - values of the placeholders
   */
  function translator<N extends Namespace>(locale: string, namespace: N, values: object = {}): Translate<N> {
    const { translate, countedBy, plain } = textsIn(locale, namespace);
    const given = new Map(Object.entries(values));
    return (key) => bindShortWords(locale, fillPlaceholders(lookUp(String(key)), given).replace(twoStops, "."));

    function lookUp(key: string): string {
      const counted = countedBy.get(key);
      if (counted !== undefined) return translate(key, { count: given.get(counted), skipInterpolation: true });
      const text = plain.get(key) ?? translate(key, { skipInterpolation: true });
      plain.set(key, text);
      return text;
    }
  }

  function textsIn(locale: string, namespace: string): NamespaceTexts {
    const id = `${locale} ${namespace}`;
    const found = known.get(id) ?? readTexts(locale, namespace);
    known.set(id, found);
    return found;
  }

  function readTexts(locale: string, namespace: string): NamespaceTexts {
    const bundles = fallbackChain(locale).map((name) => instance.getResourceBundle(name, namespace) ?? {});
    const bundle: Record<string, string> = Object.assign({}, ...bundles.reverse());
    const written = byBase(bundle);
    const forms = [...written].filter(([key]) => pluralEndings.some((ending) => Object.hasOwn(bundle, key + ending)));
    const countedBy = new Map(forms.map(([key, text]) => [key, placeholdersIn(text)[0] ?? ""]));
    return { translate: instance.getFixedT(locale, namespace), bundle, written, countedBy, plain: new Map() };
  }

  /** Returns the texts of a locale, merged over those of its language, by their full keys. */
  function bundle(locale: string, namespace: string): Readonly<Record<string, string>> {
    return textsIn(locale, namespace).bundle;
  }

  /** Finds a text, or one of its plural forms, unfilled; undefined if locale and language lack it. */
  function find(locale: string, namespace: string, key: string): string | undefined {
    return textsIn(locale, namespace).written.get(key);
  }
}

/**
 * Looks up several texts of a namespace.
 * @returns an object with the texts by key, as components take them
 */
export function pickTexts<Key extends string>(keys: readonly Key[], text: (key: Key) => string) {
  return Object.fromEntries(keys.map((key) => [key, text(key)])) as Record<Key, string>;
}

/** Lists the files of texts as `<locale>/<namespace>`. Loading Node's glob would take a fortieth of the start. */
function listFiles(folder: string): string[] {
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name: locale }) => {
    const files = readdirSync(join(folder, locale)).filter((file) => file.endsWith(".json"));
    return files.map((file) => `${locale}/${file.replace(".json", "")}`);
  });
}

/** Returns a locale's fallback chain: the locale, and its language if that differs. */
function fallbackChain(locale: string): string[] {
  const [language = locale] = locale.split("-");
  return language === locale ? [locale] : [locale, language];
}

/** A sentence whose last word ends with a full stop of its own, such as `Kava d.o.o.`. */
const twoStops = /(?<!\.)\.\.(?!\.)/g;
/** Languages in which a line must not end with a one-letter word. For Czech, see https://prirucka.ujc.cas.cz/?id=880 */
const holding = /^(cs|pl|sk)\b/;
/** A preposition or conjunction of one letter, and the space after it. */
const shortWord = /(?<![\p{L}\p{N}])([aikosuvwz]) (?=\S)/giu;

function bindShortWords(locale: string, text: string): string {
  return holding.test(locale) ? text.replace(shortWord, "$1\u00a0") : text;
}

function logOnce(logger: Logger) {
  const logged = new Set<string>();
  return (locales: readonly string[], namespace: string, key: string) => {
    const locale = locales[0];
    const id = `${locale} ${namespace} ${key}`;
    if (logged.has(id)) return;
    logged.add(id);
    logger.warn({ locale, namespace, key }, "text missing");
  };
}
