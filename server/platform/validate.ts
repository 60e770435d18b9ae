import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 as Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv/dist/2020.js";
import { formats } from "./formats.ts";
import { root } from "./paths.ts";

export type Validation<T> = { valid: true; data: T } | { valid: false; faults: string[] };

/** Saves time at each start: schemas are checked before a release, and optimised code wouldn't pay off. */
const quick: Options = { validateSchema: false, code: { optimize: false } };

const plain = createAjv({});
const strings = createAjv({ coerceTypes: true, useDefaults: true, removeAdditional: true });
const answers = createAjv({ removeAdditional: true });

/**
 * Creates the validator of a schema of the schemas folder.
 * @param name - file name without `.schema.json`
 * @returns a function that checks a value against the schema, and returns each fault as `/path message`
 */
export function createValidator<T>(name: string): (value: unknown) => Validation<T> {
  return validatorOf<T>(plain, name);
}

/**
 * Creates the validator of values that arrive as strings, such as a query or the environment.
 * @param name - file name without `.schema.json`
 * @returns a function that checks a copy of the value, converts its strings to the schema's types, fills in defaults
 * and removes unknown keys
 */
export function createStringsValidator<T>(name: string): (value: Record<string, unknown>) => Validation<T> {
  const validate = validatorOf<T>(strings, name);
  return (value) => validate({ ...value });
}

/**
 * Creates the validator of an upstream's responses.
 * @param name - file name without `.schema.json`
 * @returns a function that checks a value, and removes the keys that the schema doesn't have
 */
export function createAnswerValidator<T>(name: string): (value: unknown) => Validation<T> {
  return validatorOf<T>(answers, name);
}

/**
 * Reads a schema of the schemas folder.
 * @param name - file name without `.schema.json`
 */
export function readSchema(name: string): { $id: string } {
  return JSON.parse(readFileSync(join(root, "schemas", `${name}.schema.json`), "utf8"));
}

function validatorOf<T>(ajv: Ajv, name: string): (value: unknown) => Validation<T> {
  const schema = readSchema(name);
  let compiled: ValidateFunction<T> | undefined;
  return (value) => {
    // Compiled on first use, as a start needs few schemas.
    compiled ??= ajv.getSchema<T>(schema.$id) ?? ajv.compile<T>(schema);
    const validate = compiled;
    if (validate(value)) return { valid: true, data: value };
    return { valid: false, faults: (validate.errors ?? []).filter(isOwnFault).map(faultOf) };
  };
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
  ajv.addKeyword("tsType");
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
