/**
 * Lists the texts that no country shows: neither the code nor a country's file contains their key.
 * The list doesn't fail a check, because a text may be there before its country.
 */
import { globSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const pluralEnding = /_(?:zero|one|two|few|many|other)$/;

/**
 * Finds the texts that nothing uses.
 * @param root - the folder of `locales/`, of `countries/`, and of the code in `server/` and `client/`
 * @returns a line for each, such as `locales/de/footer.json /teasers.heading`
 */
export async function findUnusedTexts(root) {
  const read = (pattern) => globSync(pattern, { cwd: root }).sort();
  const isInCode = readKeys(
    read("{server,client}/**/*.{ts,tsx}").map((file) => readFileSync(join(root, file), "utf8")),
  );
  const named = await readStrings(join(root, "countries"));
  return read("locales/*/*.json").flatMap((file) => {
    const { $schema: _, ...texts } = JSON.parse(readFileSync(join(root, file), "utf8"));
    const keys = new Set(Object.keys(texts).map((key) => key.replace(pluralEnding, "")));
    return [...keys].filter((key) => !isInCode(key) && !named.has(key)).map((key) => `${file} /${key}`);
  });
}

/**
 * Reads the keys of texts in sources: strings, properties of an object of texts such as `texts.leave`, and templates
 * such as `imprint.${fact}`, which stand for every key of their form.
 * @returns a function that tells whether a key is among them
 */
function readKeys(sources) {
  const code = sources.join("\n");
  const keys = new Set(code.match(/(?<=")[\w.-]+(?=")|(?<=texts\.)\w+/gi));
  const templates = new Set(code.match(/(?<=`)(?:[\w.-]|\$\{[^{}`]*\})+(?=`)/g));
  const forms = [...templates]
    .map((template) => template.split(/\$\{[^{}]*\}/))
    .filter((parts) => parts.length > 1 && parts.some((part) => /^\.?[a-z]{2,}/i.test(part) && part.includes(".")))
    .map((parts) => new RegExp(`^${parts.map((part) => RegExp.escape(part)).join(".+")}$`));
  return (key) => keys.has(key) || forms.some((form) => form.test(key));
}

/** Reads all strings in the files of countries. */
async function readStrings(folder) {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".ts"));
  const countries = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href)));
  const strings = new Set();
  JSON.stringify(countries, (_name, value) => {
    if (typeof value === "string") strings.add(value);
    return value;
  });
  return strings;
}

if (import.meta.main)
  for (const line of await findUnusedTexts(join(import.meta.dirname, "..")))
    console.log(`${line} isn't shown by any country`);
