import { createHash } from "node:crypto";
import type { Texts } from "../../i18n.ts";
import type { Site } from "../../sites/countries.ts";
import { legalTexts, textValues } from "../../sites/legal-texts.ts";

/** What a form said, word by word. */
export interface ShownText {
  text: string;
  /** The same for the same text. */
  version: string;
  language: string;
}

/** The text of a site's sign-up form by which its visitors consent: a line each, with where its links lead. */
export function shownText({ locale, newsletter }: Site, texts: Texts): ShownText {
  const translate = texts.translator(locale, "newsletter", textValues(locale, newsletter));
  const keys = [
    "title",
    "personalisedOffers.label",
    ...(newsletter.legals ? (["legals.label"] as const) : []),
    ...legalTexts(newsletter),
    "submit",
  ] as const;
  const text = keys.map((key) => writeOut(translate(key), newsletter.links)).join("\n");
  return { text, version: createHash("sha256").update(text).digest("hex").slice(0, 12), language: locale };
}

/** Links stand in a text as `[words](name)`. */
function writeOut(text: string, links: Record<string, string | undefined>): string {
  return text.replaceAll(/\[([^[\]]+)\]\((\w+)\)/g, (_link, words: string, name: string) =>
    links[name] ? `${words} (${links[name]})` : words,
  );
}
