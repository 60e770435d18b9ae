import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./paths.ts";

/**
 * Reads a schema of the schemas folder. References to other schemas become references to their `$id`.
 * @param name - file name without `.schema.json`
 */
export function loadSchema(name: string): { $id: string } {
  const text = readFileSync(join(root, "schemas", `${name}.schema.json`), "utf8");
  return JSON.parse(text.replaceAll(".schema.json#", "#"));
}
