import { maxEmailLength } from "../../client/rules/email.ts";
import { maxNameLength } from "../../client/rules/subscription.ts";
import { unbroken } from "../../client/rules/waiting-time.ts";
import type { NewsletterSettings } from "../../schemas/types.ts";

/** A country whose newsletter asks for a consent. */
interface ConsentingSite {
  newsletter: NewsletterSettings;
  statesTopics: boolean;
}

/**
 * Lists the paragraphs that a country shows to visitors before they sign up, in the order of the page, each as the keys
 * of its texts. The first is the consent.
 */
export function legalParagraphs({ newsletter, statesTopics }: ConsentingSite) {
  const { legals, links, stopUnopenedAfterYears, voucher } = newsletter;
  const further = [
    ["legal.withdrawal", true],
    ["legal.controller", true],
    ["legal.age", true],
    ["legal.commercialMessages", legals],
    ["legal.profiling", true],
    ["legal.voucher", voucher],
    ["legal.voucherValidity", voucher?.validMonths],
    ["legal.voucherSingleUse", voucher?.singleUse],
    ["legal.deletion", true],
    ["legal.unopened", stopUnopenedAfterYears],
    ["legal.terms", links.terms],
    ["legal.example", true],
  ] as const;
  const consent = ["legal.consent", ...(statesTopics ? (["legal.topics"] as const) : [])] as const;
  return [consent, ...further.flatMap(([key, applies]) => (applies ? [[key] as const] : []))];
}

/** Lists the keys of these texts. */
export function legalTexts(site: ConsentingSite) {
  return legalParagraphs(site).flat();
}

/** Returns the key of the form's title, which names the voucher if there is one. */
export function titleText({ voucher }: NewsletterSettings) {
  return voucher ? "title" : "titleWithoutVoucher";
}

/** Lists the keys of the texts by which visitors consent to personalised offers. */
export function offersTexts({ links }: NewsletterSettings) {
  const consent = links.personalMarketingConsent ? (["personalisedOffers.consent"] as const) : [];
  return ["personalisedOffers.label", ...consent] as const;
}

/** Lists the keys of the texts by which visitors consent to a country's newsletter, in the order of the form. */
export function consentTexts(site: ConsentingSite) {
  const { newsletter } = site;
  return [
    titleText(newsletter),
    ...offersTexts(newsletter),
    ...(newsletter.legals ? (["legals.label"] as const) : []),
    ...legalTexts(site),
    "submit",
  ] as const;
}

/** Returns the values for the placeholders of the newsletter's texts, formatted for the locale. */
export function textValues(locale: string, settings: NewsletterSettings) {
  const { voucher, stopUnopenedAfterYears = 0 } = settings;
  const format = (value: number, options: Intl.NumberFormatOptions) =>
    unbroken(new Intl.NumberFormat(locale, options).format(value));
  const period = (value: number, unit: "month" | "year") => format(value, { style: "unit", unit, unitDisplay: "long" });
  return {
    ...settings,
    maxEmailLength,
    maxNameLength,
    ...(voucher && {
      discount: format(voucher.discount / 100, { style: "percent" }),
      voucherValidity: period(voucher.validMonths ?? 0, "month"),
    }),
    stopUnopenedAfter: period(stopUnopenedAfterYears, "year"),
  };
}
