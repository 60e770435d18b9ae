/**
 * Writes schemas/types.ts from the JSON Schemas beside this file and from the texts of the reference locales.
 * With --check it writes nothing and fails if the types differ.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "json-schema-to-typescript-lite";
import { findNamespaces, mayBeOwn } from "./find-namespaces.mjs";

const folder = import.meta.dirname;
const target = join(folder, "types.ts");
const banner = "/* Generated from the JSON Schemas of this folder and from locales/ by `npm run fix`. Change those. */";

const files = (await readdir(folder)).filter((file) => file.endsWith(".schema.json")).sort();
const types = [];
for (const file of files) {
  // The compiler can't follow a reference into another schema: the type must be given there.
  const withoutRef = ({ $ref: _, ...rest }) => rest;
  const schema = JSON.parse(await readFile(join(folder, file), "utf8"), (_name, part) =>
    part?.tsType ? withoutRef(part) : part,
  );
  // TypeScript can't give names that match a pattern a type other than that of all other names.
  if (schema.properties) for (const named of Object.values(schema.patternProperties ?? {})) named.tsType = "unknown";
  types.push(
    await compile(schema, schema.title, {
      bannerComment: "",
      additionalProperties: false,
      ignoreMinAndMaxItems: true,
      unreachableDefinitions: true,
    }),
  );
}
const generated = [banner, await typeTextKeys(), ...types].join("\n");

if (process.argv.includes("--check")) {
  const current = await readFile(target, "utf8").catch(() => "");
  if (current !== generated) {
    console.error("schemas/types.ts differs from the schemas or the texts: run `npm run fix`");
    process.exit(1);
  }
} else {
  await writeFile(target, generated);
}

/** Writes a type with the keys of each namespace. */
async function typeTextKeys() {
  const namespaces = await findNamespaces(join(folder, "../locales"));
  const keys = namespaces.map(([namespace, locale]) => {
    const own = mayBeOwn.includes(namespace) ? " | (string & {})" : "";
    return `"${namespace}": KeyOf<typeof import("../locales/${locale}/${namespace}.json")>${own}`;
  });
  return `
/**
 * The keys of texts; one with plural forms has a single key.
 */
type KeyOf<Texts> = {
  [Key in keyof Texts]: Key extends \`\${infer Base}_\${Intl.LDMLPluralRule}\` ? Base : Key
}[keyof Texts]
/**
 * The keys of each namespace of texts.
 */
export interface TextKeys {
${keys.join("\n")}
}
`;
}
