import type { MimeNodeEnvelope } from "nodemailer/lib/mime-node";
import { renderToStaticMarkup } from "react-dom/server";
import type { Brand } from "../../brand/brand.ts";
import type { Texts } from "../../i18n.ts";
import type { CountryRegistry } from "../../sites/countries.ts";
import { MailDocument } from "./MailDocument.tsx";
import type { MailData, MailKind } from "./mail-data.ts";
import { oneClickLink } from "./mail-links.ts";
import { createMailLook } from "./mail-look.ts";
import { mailText } from "./mail-text.ts";
import type { ComposedMail } from "./mail-transport.ts";
import type { QueuedMail } from "./outbox.ts";
import { parseMailbox } from "./parse-mailbox.ts";
import { writeContent } from "./write-content.ts";

interface ComposerOptions {
  brand: Brand;
  countries: CountryRegistry;
  texts: Texts;
  /** Address of the sender, alone or with a name; the shop's is added where there is none. */
  mailFrom: string;
}

export type ComposeMail = (mail: QueuedMail) => Promise<ComposedMail>;

/**
 * Creates the function that makes a mail of a row of the outbox, at every attempt the same one. It throws when the
 * row's site isn't served any more, or the recipient isn't one address.
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
    // Loaded with the first mail, and not at the start.
    const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
    const node = new MailComposer({
      from,
      // As an object, the recipient is one address, whatever it holds: test/server/shop/mail/compose-mail.test.ts
      to: { name: "", address: recipient },
      subject: content.subject,
      messageId: `<${id}@${new URL(site.origin).hostname}>`,
      date: new Date(createdAt),
      headers: {
        "Content-Language": site.locale,
        // This keeps machines from answering for people on holiday: https://www.rfc-editor.org/rfc/rfc3834#section-5
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": `<${oneClickLink(site, parsed.unsubscribeToken)}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
      text: mailText(content),
      html: `<!DOCTYPE html>${renderToStaticMarkup(<MailDocument content={content} look={look} />)}`,
      encoding: "quoted-printable",
      baseBoundary: id,
      newline: "win",
    }).compile();
    return { id, createdAt, envelope: envelopeOf(node.getEnvelope()), message: await node.build() };
  };
}

function envelopeOf({ from, to: [recipient, ...others] }: MimeNodeEnvelope): ComposedMail["envelope"] {
  if (!from || !recipient || others.length > 0) throw new Error("the mail isn't for one recipient");
  return { from, to: recipient };
}
