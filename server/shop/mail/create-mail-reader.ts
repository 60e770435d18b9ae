import type { MailMessage, MailReader, NewsletterMail } from "../../services/mail-reader.ts";
import type { Database } from "../store/open-store.ts";
import type { ComposeMail } from "./compose-mail.tsx";
import type { KeptMails } from "./mail-transport.ts";
import type { QueuedMail } from "./outbox.ts";

interface MailReaderParts {
  db: Database;
  compose: ComposeMail;
  /** The mails that were sent. */
  kept: KeptMails;
}

/**
 * Creates the reader of the outbox. It has the mails that wait and, until housekeeping removes their rows, those that
 * were sent.
 */
export function createMailReader({ db, compose, kept }: MailReaderParts): MailReader {
  const mails = db.selectFrom("mailOutbox").selectAll();
  return {
    async list(limit) {
      const rows = await mails.orderBy("createdAt", "desc").orderBy("id").limit(limit).execute();
      return Promise.all(rows.map(read));
    },

    async find(id) {
      const row = await mails.where("id", "=", id).executeTakeFirst();
      return row && read(row);
    },
  };

  async function read(row: QueuedMail): Promise<NewsletterMail> {
    const { id, site, recipient, state, nextAttemptAt, sentAt } = row;
    // What a mail is made of is removed once it is sent.
    const message = state === "queued" ? (await compose(row)).message : await kept.find(row);
    return { id, site, recipient, state, at: sentAt ?? nextAttemptAt, message: message && (await parse(message)) };
  }
}

async function parse(message: Buffer): Promise<MailMessage> {
  const { default: PostalMime } = await import("postal-mime");
  const { subject = "", headers, text = "", html = "" } = await PostalMime.parse(message);
  return { subject, text, html, headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })) };
}
