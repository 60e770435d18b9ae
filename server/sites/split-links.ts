import type { TextSegment } from "../../client/newsletter/newsletter-props.ts";

/**
 * Cuts a text into segments at its links, which stand in it as `[words](name)`. A name without an address leaves the
 * words as plain text.
 * @param links - the addresses of links by their names
 */
export function splitLinks(text: string, links: Readonly<Record<string, string | undefined>>): TextSegment[] {
  const pieces = text.matchAll(/\[([^[\]]+)\]\((\w+)\)|[^[]+/g);
  return [...pieces].map(([piece, words, name = ""]) => {
    const url = links[name];
    return { text: words ?? piece, ...(url && { url }) };
  });
}
