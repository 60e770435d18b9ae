import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 as Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import { formats } from "./formats.ts";
import { root } from "./paths.ts";

export type Validation<T> = { valid: true; data: T } | { valid: false; faults: string[] };

/** Saves time at each start: schemas are checked before a release, and optimised code wouldn't pay off. */
const quick: Options = { validateSchema: false, code: { optimize: false } };

/** What a validator does with a value that it checks. */
const validators = {
  /** Leaves it as it is. */
  plain: createAjv({}),
  /** For values that arrive as strings: converts them to the schema's types, adds defaults, removes unknown keys. */
  strings: createAjv({ coerceTypes: true, useDefaults: true, removeAdditional: true }),
  /** For the responses of upstreams: removes unknown keys. */
  answers: createAjv({ removeAdditional: true }),
};

/**
 * Creates the validator of a schema of the schemas folder.
 * @param name - file name without `.schema.json`
 * @returns a function that checks a value against the schema, and returns each fault as `/path message`
 */
export function createValidator<T>(
  name: string,
  kind: keyof typeof validators = "plain",
): (value: unknown) => Validation<T> {
  return compileSchema(readSchema(name), kind);
}

/** Creates the validator of a schema, which `createValidator` describes. */
export function compileSchema<T>(
  schema: { $id?: string; [keyword: string]: unknown },
  kind: keyof typeof validators = "plain",
): (value: unknown) => Validation<T> {
  let compiled: ValidateFunction<T> | undefined;
  return (value) => {
    // Compiled on first use, as a start needs few schemas.
    compiled ??= compile(schema, validators[kind]);
    const validate = compiled;
    if (validate(value)) return { valid: true, data: value };
    return { valid: false, faults: (validate.errors ?? []).filter(isOwnFault).map(faultOf) };
  };
}

/** Compiles a schema, with those that it refers to. */
function compile<T>(schema: { $id?: string }, ajv: Ajv): ValidateFunction<T> {
  for (const [, other = ""] of JSON.stringify(schema).matchAll(/"\$ref":"([^"#]+)#/g))
    if (!ajv.refs[other]) ajv.addSchema(readSchema(other));
  return (schema.$id && ajv.getSchema<T>(schema.$id)) || ajv.compile<T>(schema);
}

/**
 * Removes from a value what its schema refuses, so that the rest can be checked further.
 * @param value - is changed
 * @returns undefined when nothing is left
 */
export function keepValid<T>(value: unknown, validate: (value: unknown) => Validation<T>): T | undefined {
  const result = validate(value);
  if (result.valid) return result.data;
  const [path = ""] = result.faults[0]?.split(" ") ?? [];
  return remove(value, path.split("/").slice(1)) ? keepValid(value, validate) : undefined;
}

/** Removes a field, or what holds it where it is missing or an entry of a list. */
function remove(value: unknown, path: readonly string[]): boolean {
  const [above, name] = [path.slice(0, -1), path.at(-1)];
  if (name === undefined) return false;
  const holder = above.reduce<unknown>((part, key) => (isObject(part) ? Reflect.get(part, key) : undefined), value);
  if (isObject(holder) && !Array.isArray(holder) && Object.hasOwn(holder, name))
    return Reflect.deleteProperty(holder, name);
  return remove(value, above);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/**
 * Reads a schema of the schemas folder. Its references to other schemas become those to their `$id`.
 * @param name - file name without `.schema.json`
 */
export function readSchema(name: string): { $id: string } {
  const text = readFileSync(join(root, "schemas", `${name}.schema.json`), "utf8");
  return JSON.parse(text.replaceAll(".schema.json#", "#"));
}

/**
 * Whether an error is about the value itself. For `contains`, Ajv also reports why each entry doesn't match, and for
 * `if` that the branch failed, beside the branch's own errors: authors of country files couldn't act on either.
 */
function isOwnFault({ schemaPath, keyword }: ErrorObject): boolean {
  return !schemaPath.includes("/contains/") && keyword !== "if";
}

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ ...options, ...quick, allErrors: true, strict: true, strictRequired: false, verbose: true });
  // The latter holds the schemas of a document, to which its others refer.
  for (const keyword of ["tsType", "components"]) ajv.addKeyword(keyword);
  for (const [name, { validate }] of Object.entries(formats)) ajv.addFormat(name, validate);
  return ajv;
}

function faultOf({ instancePath, keyword, message, params, parentSchema }: ErrorObject): string {
  if (keyword === "additionalProperties") return `${instancePath}/${params.additionalProperty} is not known`;
  if (keyword === "required") return `${instancePath}/${params.missingProperty} is missing`;
  if (keyword === "enum") return `${instancePath} must be one of ${params.allowedValues.join(", ")}`;
  if (keyword === "format") return `${instancePath} ${formats[params.format]?.message}`;
  if (keyword === "false schema") return `${instancePath} must not be given`;
  if (keyword === "contains")
    return `${instancePath} must contain exactly one entry with ${parentSchema?.contains.required}`;
  return `${instancePath} ${message}`;
}
