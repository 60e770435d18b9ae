import { day, type Moment } from "../../../client/rules/time.ts";
import { unbroken } from "../../../client/rules/unbroken.ts";
import type { Texts } from "../../i18n.ts";
import type { Site } from "../../sites/countries.ts";
import type { MailBlock, MailContent } from "./mail-content.ts";
import type { MailData, MailKind, Voucher } from "./mail-data.ts";
import { tokenLink } from "./mail-links.ts";

interface Setting {
  /** Name of the shop. */
  brand: string;
  site: Site;
  texts: Texts;
  /** When the mail was asked for. */
  createdAt: Moment;
}

type OwnContent = Pick<MailContent, "subject" | "preheader" | "heading" | "blocks">;

const contents: { [Kind in MailKind]: (data: MailData[Kind], setting: Setting) => OwnContent } = {
  confirm({ subscriberToken }, setting) {
    const { site, createdAt } = setting;
    const { confirmWithinDays, minimumAge } = site.newsletter;
    const until = createdAt + confirmWithinDays * day;
    const text = translate(setting, {
      untilDate: formatDate(site, until),
      untilTime: formatTime(site, until),
      minimumAge,
    });
    return {
      subject: text("confirm.subject"),
      preheader: text("confirm.preheader"),
      heading: text("confirm.heading"),
      blocks: [
        { kind: "text", text: text("confirm.text") },
        { kind: "button", link: { text: text("confirm.button"), url: tokenLink(site, "confirm", subscriberToken) } },
        { kind: "text", text: text("confirm.validity") },
        { kind: "text", text: text("confirm.age") },
        {
          kind: "question",
          text: text("confirm.refuse.text"),
          link: { text: text("confirm.refuse.link"), url: tokenLink(site, "refuse", subscriberToken) },
        },
      ],
    };
  },

  welcome({ unsubscribeToken, voucher }, setting) {
    const text = translate(setting, voucher && { discount: formatDiscount(setting.site, voucher) });
    return {
      subject: text(voucher ? "welcome.subject" : "welcome.subjectWithoutVoucher"),
      preheader: text("welcome.preheader"),
      heading: text("welcome.heading"),
      blocks: [
        { kind: "text", text: text("welcome.text") },
        ...(voucher ? [voucherBlock(voucher, setting)] : []),
        { kind: "button", link: { text: text("welcome.button"), url: `${setting.site.origin}/` } },
        unsubscribeBlock(unsubscribeToken, setting),
      ],
    };
  },

  alreadySubscribed({ unsubscribeToken }, setting) {
    const text = translate(setting);
    return {
      subject: text("alreadySubscribed.subject"),
      preheader: text("alreadySubscribed.preheader"),
      heading: text("alreadySubscribed.heading"),
      blocks: [{ kind: "text", text: text("alreadySubscribed.text") }, unsubscribeBlock(unsubscribeToken, setting)],
    };
  },
};

/** Writes what a mail of some kind says, in the language of its site. */
export function writeContent<Kind extends MailKind>(kind: Kind, data: MailData[Kind], setting: Setting): MailContent {
  const { locale, origin, imprint, newsletter } = setting.site;
  const text = translate(setting);
  const links = [
    { text: text("imprint"), url: origin + imprint.url },
    { text: text("privacy"), url: origin + newsletter.links.privacy },
    { text: text("contact"), url: origin + newsletter.links.contact },
  ];
  return {
    locale,
    brand: setting.brand,
    ...contents[kind](data, setting),
    sender: { lines: [`${newsletter.sender}, ${imprint.address}`, imprint.register], links },
  };
}

function voucherBlock(voucher: Voucher, setting: Setting): MailBlock {
  const { site } = setting;
  const { code, singleUse, validUntil } = voucher;
  // The voucher's last day is the one before that moment: test/server/shop/mail/compose-mail.test.ts
  const lastDay = validUntil === null ? "" : formatDate(site, validUntil - 1);
  const text = translate(setting, { discount: formatDiscount(site, voucher), validUntil: lastDay });
  return {
    kind: "voucher",
    text: text("voucher.text"),
    code,
    terms: [
      text(lastDay ? "voucher.validUntil" : "voucher.unlimited"),
      ...(singleUse ? [text("voucher.singleUse")] : []),
    ],
    conditions: { text: text("voucher.conditions"), url: site.origin + site.newsletter.links.voucherConditions },
  };
}

function unsubscribeBlock(token: string, setting: Setting): MailBlock {
  const text = translate(setting);
  const link = { text: text("unsubscribe.link"), url: tokenLink(setting.site, "unsubscribe", token) };
  return { kind: "question", text: text("unsubscribe.text"), link };
}

function translate({ brand, site, texts }: Setting, values: object = {}) {
  const shop = `${brand} (${new URL(site.origin).host})`;
  return texts.translator(site.locale, "mail", { shop, ...values });
}

function formatDate({ locale, timeZone }: Site, at: Moment): string {
  const date = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: "long" }).format(at);
  // In French the first of a month is an ordinal, which Intl doesn't write: test/server/shop/mail/write-content.test.ts
  return unbroken(locale.startsWith("fr") ? date.replace(/^1(?= )/, "1er") : date);
}

function formatTime({ locale, timeZone }: Site, at: Moment): string {
  return new Intl.DateTimeFormat(locale, { timeZone, hour: "numeric", minute: "2-digit" }).format(at);
}

function formatDiscount({ locale }: Site, { discount }: Voucher): string {
  return new Intl.NumberFormat(locale, { style: "percent" }).format(discount / 100);
}
