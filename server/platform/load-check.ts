import type { ValidateFunction } from "ajv/dist/2020.js";
import { createCompiler } from "./compile-schema.ts";

const { compileNamed } = createCompiler();

/**
 * Returns what checks values against a schema of the schemas folder, which it compiles. In a release, the module
 * `load-built-check.ts` takes the place of this one.
 * @param name - file name without `.schema.json`
 */
export function loadCheck<T>(name: string): ValidateFunction<T> {
  return compileNamed<T>(name);
}
