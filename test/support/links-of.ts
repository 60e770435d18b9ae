import type { Link } from "../../schemas/types.ts";

/** The address of every page of a footer with the key of its text, wherever it stands in the data. */
export function linksOf(value: unknown): Link[] {
  if (typeof value !== "object" || value === null) return [];
  const own = isLink(value) ? [value] : [];
  return [...own, ...Object.values(value).flatMap(linksOf)];
}

function isLink(value: object): value is Link {
  return "url" in value && "text" in value;
}
