import type MimeNode from "nodemailer/lib/mime-node";
import { renderToStaticMarkup } from "react-dom/server";
import type { Brand } from "../../../brand/brand.ts";
import type { Texts } from "../../../platform/texts.ts";
import type { CountryRegistry, Site } from "../../../sites/countries.ts";
import { offersPreferences } from "../../../sites/site.ts";
import type { Database } from "../../../store/open-store.ts";
import type { MailReader, NewsletterMail } from "../service.ts";
import { createMailLook, MailDocument } from "./MailDocument.tsx";
import { oneClickLink, type VoucherTerms, valuesOf, writeContent, writePlainText } from "./mail-content.ts";
import { createTemplate, type FillIn, type MailValues } from "./mail-template.ts";
import type { ComposedMail, MailTransport } from "./mail-transport.ts";
import { parseMailbox } from "./mailboxes.ts";
import { escapeMarkup, quotedPrintable, writeMultipart } from "./mime-parts.ts";
import type { MailKind, QueuedMail } from "./outbox.ts";

interface ComposerOptions {
  brand: Brand;
  countries: CountryRegistry;
  texts: Texts;
  /** The sender's address, with or without a name. The default name is the brand's. */
  mailFrom: string;
}

export type ComposeMail = (mail: QueuedMail) => Promise<ComposedMail>;

/** Fills in an email of a site and kind. The bodies are encoded for the message. */
interface MailTemplate {
  subject: FillIn;
  text: FillIn;
  html: FillIn;
}

/**
 * Creates the function that composes the email of an outbox row, identical at every attempt. It throws if the site no
 * longer exists or the recipient isn't exactly one address. An email is rendered once per site, kind and terms, and
 * from then on only filled in: rendering and encoding takes ten times as long, on the thread that answers shoppers.
 */
export function createMailComposer({ brand, countries, texts, mailFrom }: ComposerOptions): ComposeMail {
  const { name, address } = parseMailbox(mailFrom);
  const from = { name: name || brand.name, address };
  const look = createMailLook(brand);
  const templates = new Map<string, MailTemplate>();

  return async function composeMail({ id, kind, site: code, recipient, data, createdAt }) {
    const site = countries.get(code);
    if (!site) throw new Error(`there is no country ${code}`);
    const { values, terms } = valuesOf(JSON.parse(data), site, createdAt);
    const linksPreferences = kind !== "preferences" && values.preferencesToken !== "" && offersPreferences(site, texts);
    const { subject, text, html } = templateOf(kind, site, terms, linksPreferences);
    // Loaded with the first mail, to start faster.
    mimeNode ??= (await import("nodemailer/lib/mime-node")).default;
    const node = new mimeNode("multipart/alternative", { baseBoundary: id });
    node.setHeader({
      From: from,
      // As an object it is always one address. A string with a comma would be several.
      To: { name: "", address: recipient },
      Subject: subject(values),
      "Message-ID": `<${id}@${new URL(site.origin).hostname}>`,
      Date: new Date(createdAt),
      "Content-Language": site.locale,
      // Suppresses automatic replies: https://www.rfc-editor.org/rfc/rfc3834#section-5
      "Auto-Submitted": "auto-generated",
      "List-Unsubscribe": `<${oneClickLink(site, values)}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
    const { from: sender, to: recipients } = node.getEnvelope();
    const [to, ...others] = recipients;
    if (!sender || !to || others.length > 0) throw new Error("the mail isn't for one recipient");
    const headers = node.buildHeaders();
    const message = writeMultipart(headers, String(node.boundary), { plain: text(values), html: html(values) });
    return { id, createdAt, envelope: { from: sender, to }, message: Buffer.from(message) };
  };

  function templateOf(kind: MailKind, site: Site, terms: VoucherTerms | undefined, linksPreferences: boolean) {
    const key = JSON.stringify([kind, site.site, terms, linksPreferences]);
    const template = templates.get(key) ?? createMailTemplate(kind, site, terms, linksPreferences);
    templates.set(key, template);
    return template;
  }

  function createMailTemplate(
    kind: MailKind,
    site: Site,
    terms: VoucherTerms | undefined,
    linksPreferences: boolean,
  ): MailTemplate {
    const sources = { brand: brand.name, site, texts, linksPreferences };
    const contentOf = (values: MailValues) => writeContent(kind, values, terms, sources);
    return {
      subject: createTemplate((values) => contentOf(values).subject),
      text: createTemplate((values) => writePlainText(contentOf(values)), quotedPrintable()),
      html: createTemplate(
        (values) => `<!DOCTYPE html>${renderToStaticMarkup(<MailDocument content={contentOf(values)} look={look} />)}`,
        quotedPrintable(escapeMarkup),
      ),
    };
  }
}

let mimeNode: typeof MimeNode | undefined;

/**
 * Creates the reader of queued emails and, until housekeeping removes their rows, of sent ones.
 * @param findSent - finds the message of a sent email, because the outbox deletes its data
 */
export function createMailReader(
  db: Database,
  compose: ComposeMail,
  findSent: NonNullable<MailTransport["find"]>,
): MailReader {
  const mails = db.selectFrom("mailOutbox").selectAll();
  return {
    async list(limit) {
      const rows = await mails.orderBy("createdAt", "desc").orderBy("id").limit(limit).execute();
      return Promise.all(rows.map(readMail));
    },
    async find(id) {
      const row = await mails.where("id", "=", id).executeTakeFirst();
      return row && readMail(row);
    },
  };

  async function readMail(row: QueuedMail): Promise<NewsletterMail> {
    const { id, site, recipient, state, nextAttemptAt, sentAt } = row;
    const message = state === "queued" ? (await compose(row)).message : await findSent(row);
    return { id, site, recipient, state, at: sentAt ?? nextAttemptAt, message: message && (await parseMail(message)) };
  }
}

async function parseMail(message: Buffer) {
  const { default: PostalMime } = await import("postal-mime");
  const { subject = "", headers, text = "", html = "" } = await PostalMime.parse(message);
  return { subject, text, html, headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })) };
}
