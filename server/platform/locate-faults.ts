import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Expression, Property } from "acorn";
import { parseFault } from "./faults.ts";
import { root } from "./paths.ts";
import type { ShopFolder } from "./shop-folder.ts";

/** A line about a fault or a gap, with the line of its field in its file; undefined if that can't be found. */
export interface LocatedFault {
  fault: string;
  line: number | undefined;
}

/** Finds the lines of the fields that faults or gaps name, in the files of a shop or in the built-in ones. */
export async function locateFaults(faults: readonly string[], { files }: ShopFolder): Promise<LocatedFault[]> {
  // Loaded with the first fault, to start faster.
  const { parseExpressionAt } = await import("acorn");
  const contents = new Map<string, Content>();
  return faults.map((fault) => {
    const { file, field } = parseFault(fault, files.keys());
    if (field === undefined || !/\.(?:ts|js|json)$/.test(file)) return { fault, line: undefined };
    const content = contents.get(file) ?? read(file);
    contents.set(file, content);
    const found = findNode(content.value, field.slice(1).split("/"));
    return { fault, line: found && lineAt(content.source, found) };
  });

  function read(file: string): Content {
    const path = files.get(file) ?? join(root, file);
    const source = existsSync(path) ? readFileSync(path, "utf8") : "";
    return { source, value: parse(source, file.endsWith(".json") ? 0 : valueStart(source)) };
  }

  function parse(source: string, start: number): Expression | undefined {
    try {
      return parseExpressionAt(source, start, { ecmaVersion: "latest" });
    } catch {
      return undefined;
    }
  }
}

/** Writes faults for people, with their lines. */
export function writeLocated(faults: readonly LocatedFault[]): string[] {
  return faults.map(({ fault, line }) => (line === undefined ? fault : `${fault} (line ${line})`));
}

interface Content {
  source: string;
  value: Expression | undefined;
}

/** Returns where the value of a module's default export begins. Type annotations stand only before or after it. */
function valueStart(source: string): number {
  const exported = /\bexport default (?:(\w+);?\s*$)?/m.exec(source);
  const name = exported?.[1];
  const start = name === undefined ? exported : new RegExp(`\\bconst ${name}\\b[^=]*= *`).exec(source);
  return start ? start.index + start[0].length : source.length;
}

/** Returns where a field is in an expression; the field around it if it is missing; undefined if nothing is known. */
function findNode(value: Expression | undefined, [key, ...rest]: string[], found?: number): number | undefined {
  if (key === undefined || !value) return found;
  if (value.type === "CallExpression") {
    const [first] = value.arguments;
    return first && first.type !== "SpreadElement" ? findNode(first, [key, ...rest], found) : found;
  }
  if (value.type === "ArrayExpression") {
    const element = value.elements[Number(key)];
    return element && element.type !== "SpreadElement" ? findNode(element, rest, element.start) : found;
  }
  if (value.type !== "ObjectExpression") return found;
  const property = value.properties.findLast((one) => one.type === "Property" && nameOf(one) === key);
  return property?.type === "Property" ? findNode(property.value, rest, property.start) : found;
}

function nameOf({ key }: Property): string | undefined {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" ? String(key.value) : undefined;
}

function lineAt(source: string, position: number): number {
  return source.slice(0, position).split("\n").length;
}
