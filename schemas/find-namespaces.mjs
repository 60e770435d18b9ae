import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** The locales that have every key of a namespace: "de" has the texts of the shop, "en" those of its tools. */
const references = ["de", "en"];

/** The namespaces to which a shop adds texts of its own: an editor completes the others, and takes any. */
export const mayBeOwn = ["footer"];

/**
 * Lists every namespace of texts with the locale that has all of its keys.
 * @param locales - the folder of all locales
 */
export async function findNamespaces(locales) {
  const localeOf = new Map();
  for (const locale of references) {
    for (const file of (await readdir(join(locales, locale))).sort()) {
      const namespace = basename(file, ".json");
      if (!localeOf.has(namespace)) localeOf.set(namespace, locale);
    }
  }
  return [...localeOf];
}
