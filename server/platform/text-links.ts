import type { TextSegment } from "../../client/rules/newsletter-block.ts";

/** A link in a text, with the name of its target: `[words](name)`. */
const link = /\[([^[\]]+)\]\((\w+)\)/g;
const linkOrText = new RegExp(`${link.source}|[^[]+`, "g");

/** Splits a text at its links. If a link's name has no URL, its words become plain text. */
export function splitLinks(text: string, links: Readonly<Record<string, string | undefined>>): TextSegment[] {
  return [...text.matchAll(linkOrText)].map(([piece, words, name = ""]) => {
    const url = links[name];
    return { text: words ?? piece, ...(url && { url }) };
  });
}

/** Writes a text without markup, with the URL of each link after its words. */
export function writeWithUrls(text: string, links: Readonly<Record<string, string | undefined>>): string {
  return splitLinks(text, links)
    .map(({ text: words, url }) => (url ? `${words} (${url})` : words))
    .join("");
}

/** Lists the names of a text's links. */
export function linkNames(text: string): string[] {
  return [...text.matchAll(link)].map(([_link, _words, name = ""]) => name);
}
