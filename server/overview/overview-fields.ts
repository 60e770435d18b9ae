import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../root.ts";

/** A parameter of a fragment, as a form offers it. */
export interface ParameterField {
  name: string;
  description: string;
  /** Every possible value; undefined where any text is allowed. */
  choices: string[] | undefined;
  /** The value that counts where none is given. */
  initial: string;
}

interface ParametersSchema {
  properties: Record<string, { description?: string; type?: string; enum?: unknown[]; default?: unknown }>;
}

/** Reads the parameters of a fragment from its JSON Schema, so that a new one appears on the overview by itself. */
export function readParameterFields(fragment: string): ParameterField[] {
  const file = join(root, "schemas", `${fragment}-parameters.schema.json`);
  const schema: ParametersSchema = JSON.parse(readFileSync(file, "utf8"));
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    description: property.description ?? "",
    choices: property.type === "boolean" ? ["true", "false"] : property.enum?.map(String),
    initial: String(property.default ?? ""),
  }));
}
