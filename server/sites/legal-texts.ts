import { maxEmailLength } from "../../client/rules/email.ts";
import { maxNameLength } from "../../client/rules/subscription.ts";
import { unbroken } from "../../client/rules/waiting-time.ts";
import type { NewsletterSettings } from "../../schemas/types.ts";

/** Lists the keys of the texts that a country shows to visitors before they sign up, in the order of the page. */
export function legalTexts({ legals, links, stopUnopenedAfterYears, voucher }: NewsletterSettings) {
  const texts = [
    ["legal.consent", true],
    ["legal.withdrawal", true],
    ["legal.controller", true],
    ["legal.age", true],
    ["legal.commercialMessages", legals],
    ["legal.profiling", true],
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

/** Lists the keys of the texts by which visitors consent to personalised offers. */
export function offersTexts({ links }: NewsletterSettings) {
  const consent = links.personalMarketingConsent ? (["personalisedOffers.consent"] as const) : [];
  return ["personalisedOffers.label", ...consent] as const;
}

/** Lists the keys of the texts by which visitors consent to a country's newsletter, in the order of the form. */
export function consentTexts(newsletter: NewsletterSettings) {
  return [
    "title",
    ...offersTexts(newsletter),
    ...(newsletter.legals ? (["legals.label"] as const) : []),
    ...legalTexts(newsletter),
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
    discount: format(voucher.discount / 100, { style: "percent" }),
    voucherValidity: period(voucher.validMonths ?? 0, "month"),
    stopUnopenedAfter: period(stopUnopenedAfterYears, "year"),
  };
}
