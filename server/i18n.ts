import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInstance } from "i18next";
import Backend from "i18next-fs-backend";
import type demo from "../locales/de/demo.json";
import type footer from "../locales/de/footer.json";
import type login from "../locales/de/login.json";
import type mail from "../locales/de/mail.json";
import type newsletter from "../locales/de/newsletter.json";
import type page from "../locales/de/page.json";
import type preview from "../locales/de/preview.json";
import type subscription from "../locales/de/subscription.json";
import type widgets from "../locales/de/widgets.json";
import type gallery from "../locales/en/gallery.json";
import type overview from "../locales/en/overview.json";
import { StartError } from "./errors.ts";
import type { Logger } from "./logger.ts";

/** The keys of each namespace, from the locale that has them all. */
interface TextKeys {
  footer: keyof typeof footer;
  login: keyof typeof login;
  newsletter: keyof typeof newsletter;
  page: keyof typeof page;
  preview: keyof typeof preview;
  subscription: keyof typeof subscription;
  widgets: keyof typeof widgets;
  overview: keyof typeof overview;
  gallery: keyof typeof gallery;
  demo: keyof typeof demo;
  mail: keyof typeof mail;
}

export type Namespace = keyof TextKeys;

/** Gives the text of a key with its placeholders filled; empty when the locale has no such text. */
export type Translate<N extends Namespace> = (key: TextKeys[N]) => string;

/** Some texts of a namespace by their keys, as components get them. */
export function pickTexts<Key extends string>(keys: readonly Key[], text: (key: Key) => string) {
  return Object.fromEntries(keys.map((key) => [key, text(key)])) as Record<Key, string>;
}

export interface Texts {
  /**
   * The texts of a namespace in one locale, with its language as fallback (de-AT, then de).
   * @param values - for the placeholders of the texts
   */
  translator<N extends Namespace>(locale: string, namespace: N, values?: object): Translate<N>;
  /** Tells whether the locale or its language has a text. */
  has(locale: string, namespace: Namespace, key: string): boolean;
  /** Names of the values that a text wants. */
  placeholders(locale: string, namespace: Namespace, key: string): string[];
}

/**
 * Loads every locale of a folder: `<locale>/<namespace>.json`.
 * One instance serves all locales through fixed translators: changing its language would mix concurrent requests.
 * @throws StartError naming every file that is no JSON
 */
export async function loadTexts(folder: string, logger: Logger): Promise<Texts> {
  const locales = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const instance = createInstance();
  const faults: string[] = [];
  instance.on("failedLoading", (locale, namespace, error: unknown) => {
    if (/parsing/.test(String(error))) faults.push(`locales/${locale}/${namespace}.json is no JSON`);
  });
  await instance.use(Backend).init({
    backend: { loadPath: join(folder, "{{lng}}", "{{ns}}.json") },
    preload: locales,
    supportedLngs: locales,
    fallbackLng: false,
    ns: [
      "footer",
      "login",
      "mail",
      "newsletter",
      "page",
      "preview",
      "subscription",
      "widgets",
      "overview",
      "gallery",
      "demo",
    ] satisfies Namespace[],
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    saveMissing: true,
    saveMissingTo: "current",
    missingKeyHandler: logOnce(logger),
    parseMissingKeyHandler: () => "",
  });
  if (faults.length > 0) throw new StartError(faults.sort());
  return {
    has: (locale, namespace, key) => instance.exists(key, { lng: locale, ns: namespace }),
    placeholders(locale, namespace, key) {
      if (!instance.exists(key, { lng: locale, ns: namespace })) return [];
      const raw = instance.getFixedT<string>(locale, namespace)(key, { skipInterpolation: true });
      return [...raw.matchAll(/\{\{(\w+)\}\}/g)].flatMap(([, name]) => name ?? []);
    },
    translator(locale, namespace, values = {}) {
      const translate = instance.getFixedT<string>(locale, namespace);
      return (key) => translate(String(key), { ...values });
    },
  };
}

function logOnce(logger: Logger) {
  const logged = new Set<string>();
  return (locales: readonly string[], namespace: string, key: string) => {
    const locale = locales[0];
    const id = `${locale} ${namespace} ${key}`;
    if (logged.has(id)) return;
    logged.add(id);
    logger.warn({ locale, namespace, key }, "missing text");
  };
}
