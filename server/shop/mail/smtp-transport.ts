import { createTransport, type NodemailerError } from "nodemailer";
import { second } from "../../../client/rules/time.ts";
import { atOnce, DeliveryError, type MailTransport, sendTimeout } from "./mail-transport.ts";

/**
 * Creates the transport that hands mails to a server over SMTP.
 * @param url - the server's address: smtp:// uses TLS where the server offers it, and insists on it to send a password;
 * smtps:// is TLS
 */
export function createSmtpTransport(url: string): MailTransport {
  const transporter = createTransport({
    url,
    pool: true,
    maxConnections: atOnce,
    requireTLS: new URL(url).password !== "",
    connectionTimeout: 10 * second,
    greetingTimeout: 10 * second,
    socketTimeout: 30 * second,
    // The outbox tries again. A pool that did so, too, would send mails twice that had arrived unnoticed:
    // test/server/shop/mail/smtp-transport.test.ts
    maxRequeues: 0,
  });
  return {
    async send({ envelope, message }) {
      const mail = { envelope, raw: message, signal: AbortSignal.timeout(sendTimeout) };
      await transporter.sendMail(mail).catch((error: NodemailerError) => {
        throw toDeliveryError(error);
      });
    },
    close: () => transporter.close(),
  };
}

/**
 * Tells whether a server's answer is final. A 5xx answer to the recipient or the message is. One to the sender or the
 * sign-in says that something is set up wrong, here or there, and mails wait until that is put right.
 */
function toDeliveryError(error: NodemailerError): DeliveryError {
  const { code, command, responseCode, response = "", permanent = false } = error;
  const aboutMail = command === "RCPT TO" || command === "DATA";
  const noMailbox = command === "RCPT TO" && permanent && saysNoMailbox.test(response);
  const reason = ["SMTP", code, command, responseCode].filter(Boolean).join(" ");
  return new DeliveryError(reason, permanent && aboutMail, { noMailbox });
}

/**
 * An answer that there is no such mailbox or domain, that it has moved or is disabled, by the codes of
 * https://www.rfc-editor.org/rfc/rfc3463 and https://www.rfc-editor.org/rfc/rfc7505. A 550 alone may be about policy.
 */
const saysNoMailbox = /^5\d\d[ -]5\.(?:1\.(?:1|2|3|6|10)|2\.1)(?!\d)/;
