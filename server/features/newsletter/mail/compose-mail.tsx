import { renderToStaticMarkup } from "react-dom/server";
import type { Brand } from "../../../brand/brand.ts";
import type { Texts } from "../../../platform/texts.ts";
import type { CountryRegistry } from "../../../sites/countries.ts";
import type { Database } from "../../../store/open-store.ts";
import type { MailReader, NewsletterMail } from "../service.ts";
import { createMailLook, MailDocument } from "./MailDocument.tsx";
import { oneClickLink, writeContent, writePlainText } from "./mail-content.ts";
import type { ComposedMail, MailTransport } from "./mail-transport.ts";
import { parseMailbox } from "./mailboxes.ts";
import type { MailData, MailKind, QueuedMail } from "./outbox.ts";

interface ComposerOptions {
  brand: Brand;
  countries: CountryRegistry;
  texts: Texts;
  /** The sender's address, with or without a name; the default name is the brand's. */
  mailFrom: string;
}

export type ComposeMail = (mail: QueuedMail) => Promise<ComposedMail>;

/**
 * Creates the function that composes the mail of an outbox row, identical at every attempt. It throws when the site no
 * longer exists or the recipient isn't exactly one address.
 */
export function createMailComposer({ brand, countries, texts, mailFrom }: ComposerOptions): ComposeMail {
  const { name, address } = parseMailbox(mailFrom);
  const from = { name: name || brand.name, address };
  const look = createMailLook(brand);

  return async function composeMail({ id, kind, site: code, recipient, data, createdAt }) {
    const site = countries.get(code);
    if (!site) throw new Error(`there is no country ${code}`);
    const parsed: MailData[MailKind] = JSON.parse(data);
    const content = writeContent(kind, parsed, { brand: brand.name, site, texts, createdAt });
    // Loaded with the first mail, to start faster.
    const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
    const node = new MailComposer({
      from,
      // An object is always one address; a string with a comma would be several.
      to: { name: "", address: recipient },
      subject: content.subject,
      messageId: `<${id}@${new URL(site.origin).hostname}>`,
      date: new Date(createdAt),
      headers: {
        "Content-Language": site.locale,
        // Suppresses automatic replies: https://www.rfc-editor.org/rfc/rfc3834#section-5
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": `<${oneClickLink(site, parsed.unsubscribeToken)}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
      text: writePlainText(content),
      html: `<!DOCTYPE html>${renderToStaticMarkup(<MailDocument content={content} look={look} />)}`,
      encoding: "quoted-printable",
      baseBoundary: id,
      newline: "win",
    }).compile();
    const { from: sender, to: recipients } = node.getEnvelope();
    const [to, ...others] = recipients;
    if (!sender || !to || others.length > 0) throw new Error("the mail isn't for one recipient");
    return { id, createdAt, envelope: { from: sender, to }, message: await node.build() };
  };
}

/**
 * Creates the reader of queued mails and, until housekeeping removes their rows, of sent ones.
 * @param findSent - finds the message of a sent mail: the outbox deletes its data
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
