import {
  blockTexts,
  blockWidgetTexts,
  type NewsletterAnswer,
  type NewsletterProps,
} from "../../client/newsletter/newsletter-props.ts";
import { maxEmailLength, maxNameLength } from "../../client/newsletter/rules.ts";
import type { NewsletterSettings } from "../../schemas/types.ts";
import type { Assets } from "../assets.ts";
import type { Site } from "../countries.ts";
import type { Texts } from "../i18n.ts";
import { splitLinks } from "./split-links.ts";

export interface NewsletterSources {
  texts: Texts;
  assets: Assets;
}

/** Where the block stands, and what it answers. */
export interface NewsletterPlace extends Pick<NewsletterProps, "origin" | "originAddition" | "level"> {
  answer?: NewsletterAnswer;
}

/** Builds what the sign-up block of a site shows. */
export function buildNewsletterProps(
  { texts, assets }: NewsletterSources,
  { site, locale, newsletter }: Site,
  place: NewsletterPlace,
): NewsletterProps {
  const { salutation, names, legals, personalisedOffers, lockPrefilled, links } = newsletter;
  const values = textValues(locale, newsletter);
  const text = texts.translator(locale, "newsletter", values);
  const word = texts.translator(locale, "widgets");
  return {
    ...place,
    site,
    sprite: assets.path("icons.svg"),
    settings: { salutation, names, legals, personalisedOffers, lockPrefilled },
    discount: values.discount,
    pictures: { desktop: assets.url("newsletter-desktop.svg"), tablet: assets.url("newsletter-tablet.svg") },
    texts: pick(blockTexts, text),
    widgetTexts: pick(blockWidgetTexts, word),
    ...(legals && { legalsLabel: splitLinks(text("legals.label"), links) }),
    legal: legalTexts(newsletter).map((key) => splitLinks(text(key), links)),
  };
}

/** What a country tells visitors before they sign up, in this order. */
function legalTexts({ legals, links, stopUnopenedAfterYears, voucher }: NewsletterSettings) {
  const texts = [
    ["legal.consent", true],
    ["legal.age", true],
    ["legal.commercialMessages", legals],
    ["legal.profiling", true],
    ["legal.withdrawal", true],
    ["legal.voucher", true],
    ["legal.voucherValidity", voucher.validMonths],
    ["legal.voucherSingleUse", voucher.singleUse],
    ["legal.deletion", true],
    ["legal.unopened", stopUnopenedAfterYears],
    ["legal.terms", links.terms],
    ["legal.example", true],
  ] as const;
  return texts.flatMap(([key, applies]) => (applies ? [key] : []));
}

/** For the placeholders of the newsletter's texts: figures as the country writes them. */
export function textValues(locale: string, settings: NewsletterSettings) {
  const { voucher, stopUnopenedAfterYears = 0 } = settings;
  const format = (value: number, options: Intl.NumberFormatOptions) =>
    new Intl.NumberFormat(locale, options).format(value);
  const period = (value: number, unit: "month" | "year") => format(value, { style: "unit", unit, unitDisplay: "long" });
  return {
    ...settings,
    maxEmailLength,
    maxNameLength,
    discount: format(voucher.discount / 100, { style: "percent" }),
    voucherValidity: period(voucher.validMonths ?? 0, "month"),
    stopUnopenedAfter: period(stopUnopenedAfterYears, "year"),
  };
}

function pick<Key extends string>(keys: readonly Key[], text: (key: Key) => string) {
  return Object.fromEntries(keys.map((key) => [key, text(key)])) as Record<Key, string>;
}
