import { day, type Moment } from "../../../../client/rules/time.ts";
import { unbroken } from "../../../../client/rules/waiting-time.ts";
import type { Texts, Translate } from "../../../platform/texts.ts";
import type { Site } from "../../../sites/countries.ts";
import { imprintLines, signature } from "../../../sites/site.ts";
import type { MailValues } from "./mail-template.ts";
import type { MailData, MailKind, Voucher } from "./outbox.ts";

export interface MailLink {
  text: string;
  /** Absolute, because an email has no base URL. */
  url: string;
}

/** A part of a mail's body. */
export type MailBlock =
  | { kind: "text"; text: string; link?: MailLink }
  /** The call to action; at most one per email. */
  | { kind: "button"; link: MailLink }
  | { kind: "voucher"; text: string; code: string; terms: string[]; conditions: MailLink[] };

/** The content of an email, the same in plain text and HTML. */
export interface MailContent {
  locale: string;
  subject: string;
  /** The preview that mail programs show beside the subject. */
  preheader: string;
  brand: string;
  heading: string;
  blocks: MailBlock[];
  /** The imprint of the sender. */
  sender: { lines: string[]; links: MailLink[] };
}

interface ContentSources {
  brand: string;
  site: Site;
  texts: Texts;
  /** Whether the email links to the subscriber's page. */
  linksPreferences: boolean;
}

/** The terms of an email's voucher. They decide which texts the email has. */
export interface VoucherTerms {
  singleUse: boolean;
  isLimited: boolean;
}

type Text = Translate<"mail">;
type PageText = Translate<"preferences">;
type Body = Pick<MailContent, "subject" | "preheader" | "heading" | "blocks">;
/** @param page - the texts of the subscriber's page */
type WriteBody = (values: MailValues, text: Text, site: Site, terms: VoucherTerms | undefined, page: PageText) => Body;

const writeBody: Record<MailKind, WriteBody> = {
  confirm: ({ subscriberToken }, text, site) => ({
    subject: text("confirm.subject"),
    preheader: text("confirm.preheader"),
    heading: text("confirm.heading"),
    blocks: [
      { kind: "text", text: text("confirm.text") },
      { kind: "button", link: { text: text("confirm.button"), url: tokenLink(site, "confirm", subscriberToken) } },
      { kind: "text", text: text("confirm.validity") },
      { kind: "text", text: text("confirm.age") },
      {
        kind: "text",
        text: text("confirm.refuse.text"),
        link: { text: text("confirm.refuse.link"), url: tokenLink(site, "refuse", subscriberToken) },
      },
    ],
  }),

  welcome: ({ unsubscribeToken, code }, text, site, terms) => ({
    subject: text(terms ? "welcome.subject" : "welcome.subjectWithoutVoucher"),
    preheader: text("welcome.preheader"),
    heading: text("welcome.heading"),
    blocks: [
      { kind: "text", text: text("welcome.text") },
      ...(terms ? [voucherBlock(code, terms, text, site)] : []),
      { kind: "button", link: { text: text("welcome.button"), url: `${site.origin}/` } },
      unsubscribeBlock(unsubscribeToken, text, site),
    ],
  }),

  alreadySubscribed: ({ unsubscribeToken }, text, site) => ({
    subject: text("alreadySubscribed.subject"),
    preheader: text("alreadySubscribed.preheader"),
    heading: text("alreadySubscribed.heading"),
    blocks: [{ kind: "text", text: text("alreadySubscribed.text") }, unsubscribeBlock(unsubscribeToken, text, site)],
  }),

  preferences: ({ unsubscribeToken, preferencesToken }, text, site, _terms, page) => ({
    subject: page("mail.subject"),
    preheader: page("mail.preheader"),
    heading: page("title"),
    blocks: [
      { kind: "text", text: page("mail.text") },
      { kind: "button", link: { text: page("mail.button"), url: tokenLink(site, "preferences", preferencesToken) } },
      unsubscribeBlock(unsubscribeToken, text, site),
    ],
  }),
};

/**
 * Returns the values in an email, in the language of its site, and the terms of its voucher.
 * @param createdAt - when the email is due
 */
export function valuesOf(data: MailData[MailKind], site: Site, createdAt: Moment) {
  const until = createdAt + site.newsletter.confirmWithinDays * day;
  const voucher = "voucher" in data ? data.voucher : undefined;
  const values: MailValues = {
    subscriberToken: "subscriberToken" in data ? encodeURIComponent(data.subscriberToken) : "",
    unsubscribeToken: encodeURIComponent(data.unsubscribeToken),
    preferencesToken: encodeURIComponent(data.preferencesToken ?? ""),
    untilDate: formatDate(site, until),
    untilTime: formatTime(site, until),
    ...voucherValues(voucher, site),
  };
  const terms = voucher && { singleUse: voucher.singleUse, isLimited: voucher.validUntil !== null };
  return { values, terms };
}

/** Writes the content of a mail in the language of its site. */
export function writeContent(
  kind: MailKind,
  values: MailValues,
  terms: VoucherTerms | undefined,
  { brand, site, texts, linksPreferences }: ContentSources,
): MailContent {
  const { locale, origin, imprint, newsletter } = site;
  const shop = signature(brand, site);
  const { minimumAge, topics } = newsletter;
  const text = texts.translator(locale, "mail", { ...values, shop, minimumAge, topics });
  const page = texts.translator(locale, "preferences", { shop });
  return {
    locale,
    brand,
    ...writeBody[kind](values, text, site, terms, page),
    sender: {
      lines: imprintLines(site, texts),
      links: [
        ...(linksPreferences
          ? [{ text: page("title"), url: tokenLink(site, "preferences", values.preferencesToken) }]
          : []),
        { text: text("imprint"), url: origin + imprint.url },
        { text: text("privacy"), url: origin + newsletter.links.privacy },
        { text: text("contact"), url: origin + newsletter.links.contact },
      ],
    },
  };
}

/** Writes an email as plain text: everything in its HTML, with the URL of each link on the line below it. */
export function writePlainText({ brand, heading, blocks, sender }: MailContent): string {
  const senderText = [...sender.lines, "", ...sender.links.map(linkText)].join("\n");
  return `${[brand, heading, ...blocks.map(blockText), senderText].join("\n\n")}\n`;
}

/** Returns the URL to which mail programs POST for their own unsubscribe button (RFC 8058). */
export function oneClickLink({ origin }: Site, { unsubscribeToken }: MailValues): string {
  return `${origin}/service/newsletter/api/internal/newsletter-subscribers/${unsubscribeToken}/unsubscribe`;
}

/** Returns the link to a page whose form uses a token. */
function tokenLink(
  { origin }: Site,
  page: "confirm" | "refuse" | "unsubscribe" | "preferences",
  token: string,
): string {
  return `${origin}/newsletter/${page}?token=${token}`;
}

function voucherBlock(code: string, { singleUse, isLimited }: VoucherTerms, text: Text, site: Site): MailBlock {
  const { voucherConditions } = site.newsletter.links;
  return {
    kind: "voucher",
    text: text("voucher.text"),
    code,
    terms: [
      text(isLimited ? "voucher.validUntil" : "voucher.unlimited"),
      ...(singleUse ? [text("voucher.singleUse")] : []),
    ],
    // A shop that offers no voucher any more may have no such page.
    conditions: voucherConditions ? [{ text: text("voucher.conditions"), url: site.origin + voucherConditions }] : [],
  };
}

function voucherValues(voucher: Voucher | undefined, site: Site) {
  if (!voucher) return { code: "", discount: "", validUntil: "" };
  const { code, discount, validUntil } = voucher;
  return {
    code,
    discount: formatsOf(site).percent.format(discount / 100),
    // `validUntil` is exclusive. People read the last day on which the voucher is valid.
    validUntil: validUntil === null ? "" : formatDate(site, validUntil - 1),
  };
}

function unsubscribeBlock(token: string, text: Text, site: Site): MailBlock {
  const link = { text: text("unsubscribe.link"), url: tokenLink(site, "unsubscribe", token) };
  return { kind: "text", text: text("unsubscribe.text"), link };
}

function formatDate(site: Site, at: Moment): string {
  const date = formatsOf(site).date.format(at);
  // French writes the first of a month as an ordinal, which Intl doesn't support.
  return unbroken(site.locale.startsWith("fr") ? date.replace(/^1(?= )/, "1er") : date);
}

function formatTime(site: Site, at: Moment): string {
  const time = formatsOf(site).time.format(at);
  // French prose has "9 h 05" or "12 h", which Intl doesn't support.
  return site.locale.startsWith("fr") ? unbroken(time.replace(/^0?(\d+):(?:00)?/, "$1 h ").trimEnd()) : time;
}

/** Cached, because creating a format takes longer than an email. */
const formats = new Map<string, ReturnType<typeof createFormats>>();

function formatsOf({ locale, timeZone }: Site) {
  const key = `${locale} ${timeZone}`;
  const found = formats.get(key) ?? createFormats(locale, timeZone);
  formats.set(key, found);
  return found;
}

function createFormats(locale: string, timeZone: string) {
  return {
    date: new Intl.DateTimeFormat(locale, { timeZone, dateStyle: "long" }),
    time: new Intl.DateTimeFormat(locale, { timeZone, hour: "numeric", minute: "2-digit" }),
    percent: new Intl.NumberFormat(locale, { style: "percent" }),
  };
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case "text":
      return block.link ? `${block.text}\n${linkText(block.link)}` : block.text;
    case "button":
      return linkText(block.link);
    case "voucher":
      return [block.text, "", block.code, "", ...block.terms, ...block.conditions.map(linkText)].join("\n");
  }
}

function linkText({ text, url }: MailLink): string {
  return `${text}:\n${url}`;
}
