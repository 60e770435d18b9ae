import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findNamespaces, mayBeOwn } from "./find-namespaces.mjs";

const anyText = { type: "string", minLength: 1 };
const pluralForms = ["zero", "one", "two", "few", "many", "other"];

/**
 * Builds the JSON Schema of each namespace of texts, by which editors complete and check the files of a locale.
 * @param locales - the folder of all locales
 * @returns the schemas by namespace
 */
export async function describeTexts(locales) {
  const schemas = (await findNamespaces(locales)).map(async ([namespace, locale]) => {
    const texts = JSON.parse(await readFile(join(locales, locale, `${namespace}.json`), "utf8"));
    const properties = Object.entries(texts).flatMap(([key, text]) => {
      const description = `${locale}: ${text}`;
      return formsOf(key).map((form) => [form, { description, ...anyText }]);
    });
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: `Texts of the namespace ${namespace}, by their keys`,
      type: "object",
      additionalProperties: mayBeOwn.includes(namespace) ? anyText : false,
      properties: { $schema: { type: "string" }, ...Object.fromEntries(properties) },
    };
    return [namespace, schema];
  });
  return Object.fromEntries(await Promise.all(schemas));
}

/** Lists the keys of a text. A text with plural forms may have the forms of any language, or none. */
function formsOf(key) {
  const [base, form] = key.split("_");
  return form ? [base, ...pluralForms.map((plural) => `${base}_${plural}`)] : [key];
}
