import type { SiteContentAnswer } from "../../schemas/types.ts";
import type { Logger } from "../platform/logger.ts";
import { byBase, findTextFaults, referenceLocale, textsOf } from "../platform/own-texts.ts";
import { createTexts, type TextLookup, type Texts, type Translate } from "../platform/texts.ts";
import { createValidator, type Validation } from "../platform/validate.ts";
import { builtInTexts } from "./check-country.ts";
import type { CountryRegistry, Site } from "./countries.ts";
import { versionStarts } from "./footer-versions.ts";
import { namedTexts } from "./named-fields.ts";
import { footerFacts, footerTextLocale, imprintTexts, sharedFooterTexts } from "./site.ts";

/** What the footer of a site shows: what is built in, or what a service gives in its place. */
export interface SiteContent {
  /** The site with the footer that it shows. */
  site: Site;
  /** The texts that the footer names. */
  texts: Pick<TextLookup, "translator">;
  /** Equal for equal contents; undefined for the built-in one. */
  id: string | undefined;
  /** The parts that a service gives. */
  parts: readonly (keyof SiteContentAnswer)[];
  /** Lets the id stand for the content in cache keys. */
  toJSON(): string | undefined;
}

/** Returns the footer's texts of a content, with the figures and the telephone number of its country. */
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
 * What a content may have at most. A built-in footer names some 80 texts of up to 95 characters. One text may be named by
 * thousands of links: its length and their number bound the size of a footer, and so the time in which it is rendered,
 * which no timer could interrupt. A fallback is rendered for each of its versions.
 */
const limits = { texts: 1_000, names: 1_000, characters: 2_000, versions: 100 };

/** Returns what a site's footer shows by its country's file and the built-in texts. */
export function builtInContent(site: Site, texts: Texts): SiteContent {
  return { site, texts, id: undefined, parts: [], toJSON: () => undefined };
}

/**
 * Checks what a service gives for a site by the rules of the country's file and of a shop's own texts, whose keys may all
 * be new. Its texts must have those of every footer, of the site's imprint, and all that the footer names.
 * @param answer - parsed JSON
 * @param id - identifies the answer
 * @returns each fault as `/field message`, with nothing of the answer but names of fields, texts and placeholders
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
  const own = texts === undefined ? undefined : createTexts(logger, locale, "footer", Object(texts));
  const find = (key: string) => own?.find(locale, "footer", key);
  const changed = countries.withFooter(site, footer ?? site.footer, {
    ...(own ? { has: (key) => find(key) !== undefined, find } : builtInTexts(site, builtIn)),
    describeMissing: () => "names a text that doesn't exist",
  });
  const needed = [...sharedFooterTexts, ...imprintTexts(site)];
  // The plural forms of a text that isn't built in must agree, too.
  const models = new Map([...byBase(textsOf(texts)), ...byBase(builtIn.bundle(referenceLocale, "footer"))]);
  const ofTexts = own
    ? [
        ...findTextFaults(texts, models, () => true).map((fault) => `/texts${fault}`),
        ...needed.filter((key) => find(key) === undefined).map((key) => `/texts/${key} is missing`),
      ]
    : [];
  const faults = new Set([...(result.valid ? [] : result.faults), ...changed.faults, ...ofTexts]);
  if (!result.valid || !changed.site || faults.size > 0)
    return { valid: false, faults: [...faults].map((fault) => fault.trimStart()) };
  const parts = (["footer", "texts"] as const).filter((part) => result.data[part] !== undefined);
  return { valid: true, data: { site: changed.site, texts: own ?? builtIn, id, parts, toJSON: () => id } };
}

/** Finds texts that are too long or too many, in a valid content or another one. */
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
