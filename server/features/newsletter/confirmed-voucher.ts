import type { Request, Response } from "express";
import type { MessagePageProps } from "../../../client/pages/ShopPage.tsx";
import { minute } from "../../../client/rules/time.ts";
import type { Texts } from "../../platform/texts.ts";
import type { Site } from "../../sites/countries.ts";

export const confirmedPage = "/newsletter/confirmed";
/** A cookie, as a code in the page's address would be logged. A reload shows the code again. */
const cookie = "NewsletterVoucher";

/** Keeps the code of a new voucher for the page of a confirmed sign-up. */
export function keepVoucherCode(request: Request, response: Response, code: string): void {
  const options = { path: confirmedPage, httpOnly: true, sameSite: "lax", maxAge: 5 * minute } as const;
  response.cookie(cookie, code, { ...options, secure: request.secure });
}

/** Returns what a subscriber with a new voucher reads on that page; undefined without one. */
export function readVoucher(request: Request, { locale, newsletter }: Site, texts: Texts): MessagePageProps["voucher"] {
  const { [cookie]: code }: Record<string, unknown> = request.cookies;
  if (typeof code !== "string" || !newsletter.voucher) return undefined;
  const discount = new Intl.NumberFormat(locale, { style: "percent" }).format(newsletter.voucher.discount / 100);
  return { code, text: texts.translator(locale, "mail", { discount })("voucher.text") };
}
