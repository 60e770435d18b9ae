import {
  blockTexts,
  blockWidgetTexts,
  type NewsletterAnswer,
  type NewsletterProps,
} from "../../client/newsletter/newsletter-props.ts";
import type { Assets } from "../assets.ts";
import { pickTexts, type Texts } from "../i18n.ts";
import type { Site } from "../sites/countries.ts";
import { legalTexts, offersTexts, textValues } from "../sites/legal-texts.ts";
import { splitLinks } from "../sites/split-links.ts";
import { pictures } from "./newsletter-pictures.ts";

export interface NewsletterSources {
  texts: Texts;
  assets: Assets;
}

/** Where the block stands, and what it says to what was entered. */
export interface NewsletterPlace extends Pick<NewsletterProps, "origin" | "originAddition" | "level"> {
  answer?: NewsletterAnswer;
}

/** Builds what the sign-up block of a site shows. */
export function buildNewsletterProps(
  { texts, assets }: NewsletterSources,
  { site, locale, newsletter }: Site,
  place: NewsletterPlace,
): NewsletterProps {
  const { salutation, names, familyNameFirst, legals, personalisedOffers, lockPrefilled, links } = newsletter;
  const nameFields = familyNameFirst ? (["lastName", "firstName"] as const) : (["firstName", "lastName"] as const);
  const values = textValues(locale, newsletter);
  const text = texts.translator(locale, "newsletter", values);
  const word = texts.translator(locale, "widgets");
  return {
    ...place,
    site,
    sprite: assets.path("icons.svg"),
    settings: { salutation, names, nameFields, legals, personalisedOffers, lockPrefilled },
    discount: values.discount,
    pictures,
    texts: pickTexts(blockTexts, text),
    widgetTexts: pickTexts(blockWidgetTexts, word),
    personalisedOffersLabel: splitLinks(offersTexts(newsletter).map(text).join(" "), links),
    ...(legals && { legalsLabel: splitLinks(text("legals.label"), links) }),
    legal: legalTexts(newsletter).map((key) => splitLinks(text(key), links)),
  };
}
