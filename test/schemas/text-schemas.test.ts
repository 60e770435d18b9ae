import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { Ajv2020 as Ajv } from "ajv/dist/2020.js";
import { expect, it } from "vitest";

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const schemas = globSync("dist/schemas/locales/*").map((file): [string, object] => [
  basename(file, ".schema.json"),
  readJson(file),
]);
const ajv = new Ajv();

it("editors find a schema for each namespace of texts", () => {
  const listed = readJson(".vscode/settings.json")["json.schemas"];
  const wanted = schemas.map(([namespace]) => ({
    fileMatch: [`/locales/*/${namespace}.json`],
    url: `./dist/schemas/locales/${namespace}.schema.json`,
  }));
  expect(listed).toHaveLength(wanted.length);
  expect(listed).toEqual(expect.arrayContaining(wanted));
});

it.each(schemas)("the schema of %s takes the texts of every locale, and no other key", (name, schema) => {
  const validate = ajv.compile(schema);
  const files = globSync(`locales/*/${name}.json`);
  expect(files).not.toEqual([]);
  for (const file of files) expect([file, validate(readJson(file)), validate.errors]).toEqual([file, true, null]);
  expect(validate({ $schema: "../page.schema.json" })).toBe(true);
  expect(validate({ "no.such.key": "" })).toBe(false);
});
