import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { Ajv2020 as Ajv, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { root } from "./root.ts";

export type Validation<T> = { valid: true; data: T } | { valid: false; faults: string[] };

const plain = createAjv({});
const strings = createAjv({ coerceTypes: true, useDefaults: true, removeAdditional: true });

/**
 * Compiles a schema of the schemas folder.
 * @param name - file name without `.schema.json`
 * @returns a function that tells whether a value keeps to the schema, and every fault as `/path message`
 */
export function createValidator<T>(name: string): (value: unknown) => Validation<T> {
  return validatorOf<T>(plain, name);
}

/**
 * The same for values that arrive as strings (query, environment): they become the schema's types, defaults are filled
 * in, unknown keys are dropped. Works on a copy.
 */
export function createStringsValidator<T>(name: string): (value: Record<string, unknown>) => Validation<T> {
  const validate = validatorOf<T>(strings, name);
  return (value) => validate({ ...value });
}

function validatorOf<T>(ajv: Ajv, name: string): (value: unknown) => Validation<T> {
  const schema = JSON.parse(readFileSync(join(root, "schemas", `${name}.schema.json`), "utf8"));
  const validate: ValidateFunction<T> = ajv.getSchema<T>(schema.$id) ?? ajv.compile<T>(schema);
  return (value) => {
    if (validate(value)) return { valid: true, data: value };
    return { valid: false, faults: (validate.errors ?? []).map(describe) };
  };
}

function createAjv(options: ConstructorParameters<typeof Ajv>[0]): Ajv {
  const ajv = new Ajv({ ...options, allErrors: true, strict: true, strictRequired: false });
  ajv.addKeyword("tsType");
  ajv.addFormat("cidr-list", (list) => list.split(",").every(isCidr));
  return ajv;
}

function isCidr(entry: string): boolean {
  const [address = "", prefix, ...rest] = entry.trim().split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128);
}

function describe({ instancePath, keyword, message, params }: ErrorObject): string {
  if (keyword === "additionalProperties") return `${instancePath}/${params.additionalProperty} is not known`;
  if (keyword === "required") return `${instancePath}/${params.missingProperty} is missing`;
  if (keyword === "enum") return `${instancePath} must be one of ${params.allowedValues.join(", ")}`;
  return `${instancePath} ${message}`;
}
