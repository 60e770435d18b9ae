import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** The reference locales: "de" has all texts of the shop, "en" all texts of its tools. */
const references = ["de", "en"];

/** Namespaces to which a shop may add texts of its own, so editors accept any key in them. */
export const mayBeOwn = ["footer"];

/**
 * Lists every namespace of texts with its reference locale.
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
