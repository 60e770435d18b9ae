import { readFileSync } from "node:fs";

const end = "# Nothing below needs a change.";

/**
 * Gives a recipe with the reader's own addresses in it: they may stand in its marked place alone.
 * @param name - file in deploy/edge/
 * @param values - what is the reader's own, by what the recipe has instead
 * @throws Error when the recipe has one of them nowhere in that place
 */
export function fillIn(name: string, values: Record<string, string>): string {
  const [own = "", rest] = readFileSync(`deploy/edge/${name}`, "utf8").split(end);
  if (rest === undefined) throw new Error(`${name} doesn't say where what is the reader's own ends`);
  let filled = own;
  for (const [from, to] of Object.entries(values)) {
    if (!filled.includes(from)) throw new Error(`${name} has no place for ${from}`);
    filled = filled.replaceAll(from, to);
  }
  return filled + end + rest;
}
