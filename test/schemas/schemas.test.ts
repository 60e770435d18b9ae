import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 as Ajv } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { createValidator } from "../../server/platform/validate.ts";

interface Schema {
  $id?: string;
  title?: string;
  type?: string;
  required?: string[];
  properties?: Record<string, unknown>;
  additionalProperties?: unknown;
}

const names = readdirSync("schemas")
  .filter((file) => file.endsWith(".schema.json"))
  .map((file) => file.replace(".schema.json", ""));
const read = (name: string): Schema => JSON.parse(readFileSync(join("schemas", `${name}.schema.json`), "utf8"));

/** These only extend the schemas of objects elsewhere. */
const extensions = ["contains", "dependentSchemas", "then"];

/** Lists every object schema inside a schema, by its path. */
function objectSchemas(schema: unknown, path = ""): [string, Schema][] {
  if (typeof schema !== "object" || schema === null) return [];
  const own: [string, Schema][] = (schema as Schema).type === "object" ? [[path || "/", schema]] : [];
  const children = Object.entries(schema).filter(([key]) => !extensions.includes(key));
  return [...own, ...children.flatMap(([key, child]) => objectSchemas(child, `${path}/${key}`))];
}

describe.each(names)("the schema %s", (name) => {
  it("compiles in strict mode, as the service uses it", () => {
    expect(createValidator(name)({})).toHaveProperty("valid");
  });

  it("keeps to JSON Schema 2020-12 and says what it is", () => {
    const schema = read(name);
    expect(new Ajv({ strict: false }).validateSchema(schema)).toBe(true);
    expect(schema).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: name,
      title: expect.stringMatching(/^[A-Z]\w+$/),
      description: expect.stringMatching(/\.$/),
    });
  });

  it("lets no object have properties it doesn't know", () => {
    const open = objectSchemas(read(name)).filter(([, schema]) => schema.additionalProperties !== false);
    // The environment also contains other programs' variables.
    expect(open.map(([path]) => path)).toEqual(name === "env" ? ["/"] : []);
  });
});
