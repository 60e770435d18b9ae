import type { Link } from "../../schemas/types.ts";

/** Lists the URL of every page that a footer links to, with the key of its text, at any depth of the data. */
export function linksOf(value: unknown): Link[] {
  if (typeof value !== "object" || value === null) return [];
  const own = isLink(value) ? [value] : [];
  return [...own, ...Object.values(value).flatMap(linksOf)];
}

function isLink(value: object): value is Link {
  return "url" in value && "text" in value;
}
