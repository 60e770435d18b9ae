import type { SiteContentAnswer } from "../../schemas/types.ts";
import type { Logger } from "../platform/logger.ts";
import { byBase, findTextFaults, referenceLocale, textsOf } from "../platform/own-texts.ts";
import { createTexts, type TextLookup, type Texts, type Translate } from "../platform/texts.ts";
import { createValidator, type Validation } from "../platform/validate.ts";
import { builtInTexts } from "./check-country.ts";
import type { CountryRegistry, Site } from "./countries.ts";
import { versionStarts } from "./footer-versions.ts";
import { namedTexts } from "./named-fields.ts";
import { footerFacts, footerTextLocale } from "./site.ts";

/** The content of a site's footer: the built-in one, or that of a service. */
export interface SiteContent {
  /** The site with this footer. */
  site: Site;
  /** The texts that the footer names. */
  texts: Pick<TextLookup, "translator">;
  /** Equal for equal contents; undefined for built-in content. */
  id: string | undefined;
  /** The parts that come from a service. */
  parts: readonly (keyof SiteContentAnswer)[];
  /** With this method, cache keys contain the id in place of the content. */
  toJSON(): string | undefined;
}

/** Returns the footer's texts of a content, filled with the figures and the telephone number of its country. */
export function footerTranslator({ site, texts }: SiteContent): Translate<"footer"> {
  return texts.translator(footerTextLocale(site), "footer", footerFacts(site));
}

interface ContentContext {
  countries: CountryRegistry;
  logger: Logger;
  texts: Texts;
}

const validate = createValidator<SiteContentAnswer>("site-content");

/**
 * The limits of a content. A built-in footer names about 80 texts of up to 95 characters. Thousands of links may name
 * the same text. So the length of texts and the number of links limit the size of a footer, and thereby its render
 * time, which no timer could interrupt. A fallback is rendered for each version.
 */
const limits = { texts: 1_000, names: 1_000, characters: 2_000, versions: 100 };

/** Returns a site's footer content by its country's file and the built-in texts. */
export function builtInContent(site: Site, texts: Texts): SiteContent {
  return { site, texts, id: undefined, parts: [], toJSON: () => undefined };
}

/**
 * Checks a service's content for a site by the rules for country files and for a shop's own texts, whose keys may all
 * be new. Its texts lie over the built-in ones, key by key.
 * @param answer - parsed JSON
 * @param id - identifies the answer
 * @returns each fault as `/field message`, with nothing of the answer except names of fields, texts and placeholders
 */
export function checkSiteContent(
  { countries, logger, texts: builtIn }: ContentContext,
  site: Site,
  answer: unknown,
  id: string,
): Validation<SiteContent> {
  const result = validate(answer);
  const { footer, texts }: { footer?: unknown; texts?: unknown } = Object(answer);
  const oversizes = [...findOversizes(footer, texts), ...(result.valid ? findManyVersions(result.data) : [])];
  if (oversizes.length > 0) return { valid: false, faults: oversizes };
  const locale = footerTextLocale(site);
  const below = builtIn.bundle(locale, "footer");
  const own =
    texts === undefined
      ? undefined
      : createTexts(logger, locale, "footer", { ...below, ...textsOf(texts) }, builtIn.brand);
  const find = (key: string) => own?.find(locale, "footer", key);
  const changed = countries.withFooter(site, footer ?? site.footer, {
    ...(own ? { has: (key) => find(key) !== undefined, find } : builtInTexts(site, builtIn)),
    describeMissing: () => "names a text that is neither built in nor in the answer's texts",
  });
  // The plural forms of a text that isn't built in must also agree with each other.
  const models = new Map([...byBase(textsOf(texts)), ...byBase(builtIn.bundle(referenceLocale, "footer"))]);
  const ofTexts = own ? findTextFaults(texts, "footer", models, () => true).map((fault) => `/texts${fault}`) : [];
  const faults = new Set([...(result.valid ? [] : result.faults), ...changed.faults, ...ofTexts]);
  if (!result.valid || !changed.site || faults.size > 0)
    return { valid: false, faults: [...faults].map((fault) => fault.trimStart()) };
  const parts = (["footer", "texts"] as const).filter((part) => result.data[part] !== undefined);
  return { valid: true, data: { site: changed.site, texts: own ?? builtIn, id, parts, toJSON: () => id } };
}

/** Finds texts that are too long, and too many texts, in a content that may be invalid. */
function findOversizes(footer: unknown, texts: unknown): string[] {
  const long = Object.entries(textsOf(texts)).filter(([, text]) => text.length > limits.characters);
  const isMuch = namedTexts({ footer }).length > limits.names;
  const isMany = Object.keys(Object(texts)).length > limits.texts;
  return [
    ...(isMany ? [`/texts must have at most ${limits.texts} texts`] : []),
    ...long.map(([key]) => `/texts/${key} must have at most ${limits.characters} characters`),
    ...(isMuch ? [`/footer must name at most ${limits.names} texts`] : []),
  ];
}

function findManyVersions({ footer }: SiteContentAnswer): string[] {
  const isMuch = footer && versionStarts(footer).length > limits.versions;
  return isMuch ? [`/footer must have at most ${limits.versions} versions, one from each date to the next`] : [];
}
