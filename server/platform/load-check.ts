import type { ValidateFunction } from "ajv/dist/2020.js";
import { createCompiler } from "./compile-schema.ts";

const { compileNamed } = createCompiler();

/**
 * Returns the check of a schema in the schemas folder, and compiles it first. In a release, the module
 * `load-built-check.ts` replaces this one.
 * @param name - file name without `.schema.json`
 */
export function loadCheck<T>(name: string): ValidateFunction<T> {
  return compileNamed<T>(name);
}
