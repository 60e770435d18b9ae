import { createHash } from "node:crypto";
import type { Site } from "../../countries.ts";
import type { Texts } from "../../i18n.ts";

/** What a form said, word by word. */
export interface ShownText {
  text: string;
  /** The same for the same text. */
  version: string;
  language: string;
}

const keys = [
  "legals.label",
  "personalisedOffers.label",
  "legal.consent",
  "legal.age",
  "legal.profiling",
  "legal.withdrawal",
  "legal.voucher",
  "legal.voucherValidity",
  "legal.voucherSingleUse",
  "legal.commercialMessages",
  "legal.deletion",
  "legal.unopened",
  "legal.terms",
] as const;

/** The text of a site's sign-up form by which its visitors consent. */
export function shownText({ locale, newsletter }: Site, texts: Texts): ShownText {
  const text = keys.map((key) => texts.translator(locale, "newsletter", newsletter)(key)).join("\n");
  return { text, version: createHash("sha256").update(text).digest("hex").slice(0, 12), language: locale };
}
