import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { formats } from "./formats.ts";
import { loadCheck } from "./load-check.ts";

export type Validation<T> = { valid: true; data: T } | { valid: false; faults: string[] };

/**
 * Checks a value.
 * @returns each fault as `/path message`
 */
export type Validate<T> = (value: unknown) => Validation<T>;

/**
 * Creates the validator of a schema in the schemas folder.
 * @param name - file name without `.schema.json`
 */
export function createValidator<T>(name: string): Validate<T> {
  return validateBy(() => loadCheck<T>(name));
}

/**
 * Creates a validator.
 * @param load - returns the function that Ajv has compiled; called at the first use, because a start needs few schemas
 */
export function validateBy<T>(load: () => ValidateFunction<T>): Validate<T> {
  let loaded: ValidateFunction<T> | undefined;
  return (value) => {
    loaded ??= load();
    const check = loaded;
    if (check(value)) return { valid: true, data: value };
    return { valid: false, faults: (check.errors ?? []).filter(isOwnFault).map(faultOf) };
  };
}

/**
 * Removes the invalid parts of a value, so that the rest can be checked further.
 * @param value - is changed
 * @returns undefined if nothing is left
 */
export function keepValid<T>(value: unknown, validate: (value: unknown) => Validation<T>): T | undefined {
  const result = validate(value);
  if (result.valid) return result.data;
  const [path = ""] = result.faults[0]?.split(" ") ?? [];
  return remove(value, path.split("/").slice(1)) ? keepValid(value, validate) : undefined;
}

/** Removes a field. If it is missing or an entry of a list, removes its parent. */
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
 * Whether an error is about the value itself. Ajv also reports, for `contains`, why each entry doesn't match, and for
 * `if`, that the branch failed, besides the branch's own errors. Authors of country files couldn't act on these.
 */
function isOwnFault({ schemaPath, keyword }: ErrorObject): boolean {
  return !schemaPath.includes("/contains/") && keyword !== "if";
}

function faultOf({ instancePath, keyword, message, params, parentSchema }: ErrorObject): string {
  if (keyword === "additionalProperties") return `${instancePath}/${params.additionalProperty} is not known`;
  if (keyword === "required") return `${instancePath}/${params.missingProperty} is missing`;
  if (keyword === "enum") return `${instancePath} must be one of ${params.allowedValues.map(String).join(", ")}`;
  if (keyword === "format") return `${instancePath} ${formats[params.format]?.message}`;
  if (keyword === "false schema") return `${instancePath} must not be given`;
  if (keyword === "contains")
    return `${instancePath} must contain exactly one entry with ${parentSchema?.contains.required}`;
  return `${instancePath} ${message}`;
}
