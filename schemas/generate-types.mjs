/**
 * Writes schemas/types.ts from the JSON Schemas beside this file.
 * With --check it writes nothing and fails when the types differ from the schemas.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compile } from "json-schema-to-typescript";

const folder = import.meta.dirname;
const target = join(folder, "types.ts");
const banner = `/* Generated from the JSON Schemas of this folder by \`npm run fix\`. Change those. */
import type footer from "../locales/de/footer.json";

export type FooterTextKey = keyof typeof footer;
`;

const files = (await readdir(folder)).filter((file) => file.endsWith(".schema.json")).sort();
const types = [];
for (const file of files) {
  const schema = JSON.parse(await readFile(join(folder, file), "utf8"));
  types.push(
    await compile(schema, schema.title, {
      bannerComment: "",
      additionalProperties: false,
      ignoreMinAndMaxItems: true,
      format: false,
      unreachableDefinitions: true,
    }),
  );
}
const generated = `${banner}\n${types.join("\n")}`;

if (process.argv.includes("--check")) {
  const current = await readFile(target, "utf8").catch(() => "");
  if (current !== generated) {
    console.error("schemas/types.ts differs from the schemas: run `npm run fix`");
    process.exit(1);
  }
} else {
  await writeFile(target, generated);
}
