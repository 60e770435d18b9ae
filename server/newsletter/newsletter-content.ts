import { createHash } from "node:crypto";
import { blockTexts, blockWidgetTexts, type NewsletterContent } from "../../client/newsletter/newsletter-props.ts";
import type { Assets } from "../assets.ts";
import { pickTexts, type Texts } from "../i18n.ts";
import type { Pictures } from "../images/load-images.ts";
import type { Site } from "../sites/countries.ts";
import { legalTexts, offersTexts, textValues } from "../sites/legal-texts.ts";
import { splitLinks } from "../sites/split-links.ts";
import { addressPictures } from "./newsletter-pictures.ts";

export interface NewsletterSources {
  texts: Texts;
  assets: Assets;
  pictures: Pictures;
}

/** What all sign-up blocks of a site show, and the path from which browsers load it. */
export interface SharedContent {
  address: string;
  props: NewsletterContent;
}

/** Gives the content of a site's sign-up blocks, built at the first call and then kept. */
export type NewsletterContents = (site: Site) => SharedContent;

/** Creates the store of what sign-up blocks show. The address of a content has its hash, so it can be kept for good. */
export function createNewsletterContents(sources: NewsletterSources): NewsletterContents {
  const kept = new Map<string, SharedContent>();
  return (site) => {
    const known = kept.get(site.site);
    if (known) return known;
    const props = buildContent(sources, site);
    const hash = createHash("sha256").update(JSON.stringify(props)).digest("hex").slice(0, 8).toUpperCase();
    const content = { address: `/assets/newsletter-${site.site}-${hash}.json`, props };
    kept.set(site.site, content);
    return content;
  };
}

function buildContent(
  { texts, assets, pictures }: NewsletterSources,
  { site, locale, newsletter }: Site,
): NewsletterContent {
  const { salutation, names, familyNameFirst, legals, personalisedOffers, lockPrefilled, links } = newsletter;
  const nameFields = familyNameFirst ? (["lastName", "firstName"] as const) : (["firstName", "lastName"] as const);
  const values = textValues(locale, newsletter);
  const text = texts.translator(locale, "newsletter", values);
  const word = texts.translator(locale, "widgets");
  return {
    site,
    sprite: assets.path("icons.svg"),
    settings: { salutation, names, nameFields, legals, personalisedOffers, lockPrefilled },
    discount: values.discount,
    pictures: addressPictures(pictures),
    texts: pickTexts(blockTexts, text),
    widgetTexts: pickTexts(blockWidgetTexts, word),
    personalisedOffersLabel: splitLinks(offersTexts(newsletter).map(text).join(" "), links),
    ...(legals && { legalsLabel: splitLinks(text("legals.label"), links) }),
    legal: legalTexts(newsletter).map((key) => splitLinks(text(key), links)),
  };
}
