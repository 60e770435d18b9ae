import type { Country } from "../../schemas/types.ts";

type Texts = Readonly<Record<string, readonly string[]>>;

/** The keys of the texts that only sites with a voucher show, by namespace. */
const withVoucher: Texts = {
  newsletter: ["title", "banderole", "legal.voucher", "legal.voucherValidity", "legal.voucherSingleUse"],
  mail: [
    ...["welcome.subject", "voucher.text", "voucher.validUntil", "voucher.unlimited"],
    ...["voucher.singleUse", "voucher.conditions"],
  ],
  subscription: ["confirmed.text"],
};

/** The keys of the texts that take their place on the other sites. */
const withoutVoucher: Texts = {
  newsletter: ["titleWithoutVoucher"],
  subscription: ["confirmed.textWithoutVoucher"],
};

/**
 * Whether a site may show a text of a namespace.
 * @param key - without the ending of a plural form
 */
export function maySay(
  { newsletter }: { newsletter: Pick<Country["newsletter"], "voucher"> },
  namespace: string,
  key: string,
): boolean {
  const others = newsletter.voucher ? withoutVoucher : withVoucher;
  return !others[namespace]?.includes(key);
}
