import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { asAlternatives } from "./alternatives.ts";
import { dist } from "./build-id.ts";

const folder = "schemas/openapi";
/** Parts that several documents share. */
const parts = "schemas/service-parts.json";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = Record<string, Json>;

/** The document that a part comes from, and whether it describes an answer. */
interface Origin {
  file: string;
  isAnswer: boolean;
}

/** Writes the OpenAPI documents of services and fragments to the build. */
export function writeDocuments(): void {
  mkdirSync(join(dist, folder), { recursive: true });
  for (const name of readdirSync(folder))
    writeFileSync(join(dist, folder, name), JSON.stringify(bundleDocument(`${folder}/${name}`), null, 2));
}

/**
 * Bundles a document into one without external references. References to schemas and their definitions become
 * references to its components. All others are replaced by their targets; a list by its entries, and the schema of a
 * query by a parameter for each property. Unless the document has `x-closed`, schemas of answers lose
 * `additionalProperties`, because a real service may answer more.
 * @throws Error if a reference leads nowhere, or a schema describes both requests and answers
 */
function bundleDocument(source: string): JsonObject {
  const schemas: JsonObject = {};
  const ofAnswers = new Map<string, boolean>();
  const { "x-parts": _, "x-closed": isClosed = false, ...document } = read(source);
  const { version = "", license: identifier = "" } = read("package.json");
  const included = asObject(include(document, { file: source, isAnswer: false }));
  const license = { name: identifier, identifier };
  return {
    ...included,
    info: { ...asObject(included.info), version, license },
    // The document's own origin, because each shop has another.
    servers: [{ url: "/" }],
    components: { schemas, ...securitySchemesOf(included) },
  };

  function include(value: Json, origin: Origin): Json {
    if (Array.isArray(value))
      return value.flatMap((entry) => (Array.isArray(entry) ? [include(entry, origin)] : include(entry, origin)));
    if (typeof value !== "object" || value === null) return value;
    const { $ref, ...own } = value;
    if (typeof $ref === "string") {
      const { tsType: _, ...siblings } = own;
      const content = refer($ref, origin);
      return Object.keys(siblings).length > 0
        ? { ...asObject(content), ...asObject(include(siblings, origin)) }
        : content;
    }
    const dropped = ["$schema", "$id", "$defs", "tsType", ...(origin.isAnswer ? ["additionalProperties"] : [])];
    const entries = Object.entries(asAlternatives(value)).filter(([key]) => !dropped.includes(key));
    return Object.fromEntries(
      entries.map(([key, part]): [string, Json] => {
        if (key === "parameters" && Array.isArray(part)) return [key, part.flatMap((one) => parametersOf(one, origin))];
        return [key, include(part, { ...origin, isAnswer: origin.isAnswer || (key === "responses" && !isClosed) })];
      }),
    );
  }

  function refer(reference: string, { isAnswer, ...origin }: Origin): Json {
    const { file, pointer } = locate(reference, origin.file);
    const content = read(file);
    if (!isSchema(file)) return include(find(content, pointer), { file, isAnswer });
    const [, definition = ""] = /^\/\$defs\/(\w+)$/.exec(pointer) ?? [];
    const name = `${content.title}${definition.slice(0, 1).toUpperCase()}${definition.slice(1)}`;
    if ((ofAnswers.get(name) ?? isAnswer) !== isAnswer) throw new Error(`${name} describes both requests and answers`);
    if (!ofAnswers.has(name)) {
      // Set before its parts are read, because they may refer to it.
      ofAnswers.set(name, isAnswer);
      schemas[name] = include(definition ? find(content, pointer) : content, { file, isAnswer });
    }
    return { $ref: `#/components/schemas/${name}${definition ? "" : pointer}` };
  }

  function parametersOf(parameter: Json, origin: Origin): Json {
    const { file } = locate(String(asObject(parameter).$ref ?? ""), origin.file);
    if (!isSchema(file)) return include(parameter, origin);
    return Object.entries(asObject(read(file).properties ?? {})).map(([name, property]) => {
      const { description = "", ...schema } = asObject(property);
      return { name, in: "query", description, schema };
    });
  }
}

/** Returns the authentication schemes that the document's calls name in `security`. */
function securitySchemesOf(document: JsonObject): JsonObject {
  const calls = Object.values(asObject(document.paths)).flatMap((path) => Object.values(asObject(path)));
  const alternatives = calls.flatMap((call) => asObject(call).security);
  const names = new Set(alternatives.flatMap((alternative) => Object.keys(asObject(alternative))));
  const schemes = Object.entries(asObject(read(parts).securitySchemes)).filter(([name]) => names.has(name));
  return schemes.length > 0 ? { securitySchemes: Object.fromEntries(schemes) } : {};
}

function read(file: string): JsonObject {
  return asObject(JSON.parse(readFileSync(file, "utf8")));
}

/**
 * Resolves a reference in a file.
 * @returns its target: a file and a pointer
 */
function locate(reference: string, from: string): { file: string; pointer: string } {
  const [path = "", pointer = ""] = reference.split("#");
  return { file: path ? normalize(join(from, "..", path)) : from, pointer };
}

function isSchema(file: string): boolean {
  return file.endsWith(".schema.json");
}

/**
 * Finds the part of a document at a pointer.
 * @param pointer - such as `/responses/forbidden`
 */
function find(content: Json, pointer: string): Json {
  const names = pointer.split("/").slice(1);
  return names.reduce((part, name) => {
    const found = asObject(part)[name];
    if (found === undefined) throw new Error(`there is no ${pointer}`);
    return found;
  }, content);
}

function asObject(value: Json | undefined): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("expected an object");
  return value;
}
