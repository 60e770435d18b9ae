import { createHash } from "node:crypto";
import type { Texts } from "../../i18n.ts";
import type { Site } from "../../sites/countries.ts";
import { consentTexts, textValues } from "../../sites/legal-texts.ts";

/** The text that a form has shown, word by word. */
export interface ShownText {
  text: string;
  /** Identifier of the text, equal for equal texts. */
  version: string;
  language: string;
}

/** Creates what gives the text of a site's sign-up form by which visitors consent. Each is written once. */
export function createShownText(texts: Texts): (site: Site) => ShownText {
  const written = new WeakMap<Site, ShownText>();
  return (site) => {
    const shown = written.get(site) ?? writeText(site, texts);
    written.set(site, shown);
    return shown;
  };
}

/** Writes the text line by line, with the addresses of its links. */
function writeText({ locale, newsletter }: Site, texts: Texts): ShownText {
  const translate = texts.translator(locale, "newsletter", textValues(locale, newsletter));
  const lines = consentTexts(newsletter).map((key) => writeOut(translate(key), newsletter.links));
  const text = lines.join("\n");
  return { text, version: createHash("sha256").update(text).digest("hex").slice(0, 12), language: locale };
}

/** Replaces the links of a text, which stand in it as `[words](name)`, by words and address. */
function writeOut(text: string, links: Record<string, string | undefined>): string {
  return text.replaceAll(/\[([^[\]]+)\]\((\w+)\)/g, (_link, words: string, name: string) =>
    links[name] ? `${words} (${links[name]})` : words,
  );
}
