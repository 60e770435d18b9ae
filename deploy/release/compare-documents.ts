/**
 * Compares the OpenAPI documents of the build with those of the last release in schemas/released/, and exits with 1 if a
 * change breaks callers or real services, unless package.json has a higher major version.
 *
 *   node deploy/release/compare-documents.ts           compares
 *   node deploy/release/compare-documents.ts --write   makes the build's documents those of the release
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { DocumentedCall, DocumentedHeader, ServiceDocument } from "../../server/upstream/service-documents.ts";
import { asAlternatives } from "../build/alternatives.ts";

const built = "dist/schemas/openapi";
const released = "schemas/released";

type Schema = Record<string, unknown>;

/**
 * The side of a call that a schema describes. A request's schema may only widen, and an answer's may only gain optional
 * fields.
 */
type Side = "request" | "answer";

/** Annotation keywords. */
const annotations = new Set(["description", "title", "default", "examples", "example"]);
/** Keywords, such as `not`, that make a schema stricter when their subschemas accept more. */
const conditions = new Set(["if", "then", "else", "not"]);

/**
 * Finds the changes of a document that break callers, or real services that answer its calls. Calls, parameters and
 * statuses may be added, but no required parameter. A request may require less and accept more. An answer may have
 * further optional fields and headers. The rest of an answer must not change, because callers read it, and answers of
 * real services are checked by it.
 * @returns a line for each, with its place
 */
export function findBreakingChanges(before: ServiceDocument, after: ServiceDocument): string[] {
  const compared = new Set<string>();
  return Object.entries(before.paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([method, call]) => {
      const place = `${method.toUpperCase()} ${path}`;
      const same = after.paths[path]?.[method];
      return same ? compareCalls(place, call, same) : `${place}: the call is gone`;
    }),
  );

  function compareCalls(place: string, old: DocumentedCall, call: DocumentedCall): string[] {
    return [
      ...compareParameters(place, old, call),
      ...compareRequests(place, old, call),
      ...Object.entries(old.responses).flatMap(([status, { headers = {}, content = {} }]) => {
        const answer = call.responses[status];
        if (!answer) return `${place} ${status}: the status is gone`;
        const where = `${place} ${status}`;
        return [
          ...compareHeaders(where, headers, answer.headers),
          ...compareBodies(where, "answer", content, answer.content),
        ];
      }),
    ];
  }

  function compareParameters(place: string, { parameters: old = [] }: DocumentedCall, call: DocumentedCall): string[] {
    const { parameters = [] } = call;
    const find = (all: typeof old, { name, in: where }: (typeof old)[number]) =>
      all.find((one) => one.name === name && one.in === where);
    return [
      ...old.flatMap((parameter) => {
        const same = find(parameters, parameter);
        const where = `${place} ${parameter.in} ${parameter.name}`;
        if (!same) return `${where}: the parameter is gone`;
        if (same.required && !parameter.required) return `${where}: the parameter is required`;
        return compareSchemas(where, "request", parameter.schema, same.schema);
      }),
      ...parameters
        .filter((parameter) => parameter.required && !find(old, parameter))
        .map((parameter) => `${place} ${parameter.in} ${parameter.name}: the parameter is new, and required`),
    ];
  }

  function compareRequests(place: string, { requestBody: old }: DocumentedCall, call: DocumentedCall): string[] {
    const { requestBody: body } = call;
    if (body?.required && !old?.required) return [`${place} body: it is required`];
    return compareBodies(`${place} body`, "request", old?.content, body?.content);
  }

  function compareHeaders(
    place: string,
    old: Record<string, DocumentedHeader>,
    headers: Record<string, DocumentedHeader> = {},
  ): string[] {
    const added = Object.entries(headers).filter(([name, { required }]) => required && !old[name]);
    return [
      ...Object.entries(old).flatMap(([name, { required = false, schema }]) => {
        const same = headers[name];
        if (!same) return `${place} ${name}: the header is gone`;
        if ((same.required ?? false) !== required)
          return `${place} ${name}: whether the header is required has changed`;
        return compareSchemas(`${place} ${name}`, "answer", schema, same.schema);
      }),
      ...added.map(([name]) => `${place} ${name}: the header is new, and required`),
    ];
  }

  function compareBodies(
    place: string,
    side: Side,
    old: DocumentedCall["responses"][string]["content"] = {},
    content: typeof old = {},
  ): string[] {
    return Object.entries(old).flatMap(([mediaType, { schema: oldSchema = {} }]) => {
      const same = content[mediaType];
      if (!same) return `${place}: ${mediaType} is gone`;
      return compareSchemas(place, side, oldSchema, same.schema ?? {});
    });
  }

  function compareSchemas(place: string, side: Side, oldSchema: object, newSchema: object): string[] {
    // A schema may contain itself.
    const key = JSON.stringify([side, oldSchema, newSchema]);
    if ("$ref" in oldSchema && compared.has(key)) return [];
    compared.add(key);
    const [old, schema] = [resolve(oldSchema, before.components), resolve(newSchema, after.components)];
    const keywords = new Set([...Object.keys(old), ...Object.keys(schema)]);
    return [...keywords].flatMap((keyword) => {
      if (annotations.has(keyword)) return [];
      return compareKeyword(place, side, keyword, old[keyword], schema[keyword]);
    });
  }

  function compareKeyword(place: string, side: Side, keyword: string, old: unknown, value: unknown): string[] {
    if (keyword === "properties") return compareProperties(place, side, asSchema(old), asSchema(value));
    const isComparable = side === "answer" || !conditions.has(keyword);
    if (isComparable && isSchema(old) && isSchema(value))
      return compareSchemas(`${place}/${keyword}`, side, old, value);
    if (isListOfSchemas(old) && isListOfSchemas(value) && old.length === value.length)
      return old.flatMap((one, index) => compareSchemas(place, side, one, asSchema(value[index])));
    if (isDeepStrictEqual(sorted(old), sorted(value)) || (side === "request" && takesMore(keyword, old, value)))
      return [];
    return [`${place}: ${keyword} was ${JSON.stringify(old)}, and is ${JSON.stringify(value)}`];
  }

  function compareProperties(place: string, side: Side, old: Schema, properties: Schema): string[] {
    return Object.entries(old).flatMap(([name, property]) =>
      name in properties
        ? compareSchemas(`${place}/${name}`, side, asSchema(property), asSchema(properties[name]))
        : `${place}/${name}: the field is gone`,
    );
  }
}

/** Whether a request keyword still accepts every value that it accepted before. */
function takesMore(keyword: string, old: unknown, value: unknown): boolean {
  if (value === undefined) return true;
  if (old === undefined) return false;
  const [before, after] = [[old].flat(), [value].flat()];
  if (keyword === "required") return after.every((name) => before.includes(name));
  if (keyword === "enum" || keyword === "type") return before.every((one) => after.includes(one));
  if (/^max/.test(keyword)) return Number(value) >= Number(old);
  return /^min/.test(keyword) && Number(value) <= Number(old);
}

/** Returns a schema with its reference resolved. */
function resolve(schema: object, components: ServiceDocument["components"]): Schema {
  const { $ref, ...own } = asAlternatives(asSchema(schema));
  if (typeof $ref !== "string") return own;
  const names = $ref.split("/").slice(2);
  const target = names.reduce<unknown>((part, name) => asSchema(part)[name], components);
  return { ...resolve(asSchema(target), components), ...own };
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asSchema(value: unknown): Schema {
  return isSchema(value) ? value : {};
}

function isListOfSchemas(value: unknown): value is Schema[] {
  return Array.isArray(value) && value.length > 0 && value.every(isSchema);
}

/** Sorts lists of types, values and required fields, whose order has no meaning. */
function sorted(value: unknown): unknown {
  return Array.isArray(value) ? value.map(String).sort() : value;
}

if (import.meta.main) {
  if (process.argv.includes("--write")) {
    rmSync(released, { recursive: true, force: true });
    cpSync(built, released, { recursive: true });
  } else {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    for (const name of readdirSync(released)) {
      const before: ServiceDocument = JSON.parse(readFileSync(`${released}/${name}`, "utf8"));
      const file = `${built}/${name}`;
      const changes = existsSync(file)
        ? findBreakingChanges(before, JSON.parse(readFileSync(file, "utf8")))
        : ["the document is gone"];
      if (changes.length === 0 || majorOf(version) > majorOf(before.info.version)) continue;
      console.error(`${name}: breaks what ${before.info.version} promises, and needs a new major version:`);
      for (const change of changes) console.error(`  ${change}`);
      process.exitCode = 1;
    }
  }
}

function majorOf(version: string): number {
  return Number(version.split(".", 1)[0]);
}
