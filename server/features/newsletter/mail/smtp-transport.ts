import type { NodemailerError } from "nodemailer";
import { second } from "../../../../client/rules/time.ts";
import { concurrentMails, DeliveryError, type MailTransport, mailTimeout } from "./mail-transport.ts";

/**
 * Creates the transport that delivers emails over SMTP.
 * @param url - smtp:// uses TLS if the server offers it, and requires it before sending a password; smtps:// always
 * uses TLS
 */
export async function createSmtpTransport(url: string): Promise<MailTransport> {
  // Loaded only where it is needed, which makes other starts faster.
  const { default: nodemailer } = await import("nodemailer");
  const transporter = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: concurrentMails,
    requireTLS: new URL(url).password !== "",
    connectionTimeout: 10 * second,
    greetingTimeout: 10 * second,
    socketTimeout: 30 * second,
    // The outbox retries. If the pool did, too, an email whose acceptance got lost would be sent twice.
    maxRequeues: 0,
  });
  return {
    async send({ envelope, message }) {
      const mail = { envelope, raw: message, signal: AbortSignal.timeout(mailTimeout) };
      await transporter.sendMail(mail).catch((error: NodemailerError) => {
        throw toDeliveryError(error);
      });
    },
    close: () => transporter.close(),
  };
}

/**
 * Converts an error of nodemailer. A 5xx reply to the recipient or the message is final. One to the sender or the
 * sign-in suggests a wrong configuration on either side, so emails wait until that is corrected.
 */
function toDeliveryError(error: NodemailerError): DeliveryError {
  const { code, command, responseCode, response = "", permanent = false } = error;
  const reason = ["SMTP", code, command, responseCode].filter(Boolean).join(" ");
  if (!permanent || !(command === "RCPT TO" || command === "DATA")) return new DeliveryError(reason, "postponed");
  return new DeliveryError(reason, command === "RCPT TO" && noMailboxReply.test(response) ? "bounced" : "failed");
}

/**
 * A reply that the mailbox or domain doesn't exist, has moved or is disabled, by the codes of
 * https://www.rfc-editor.org/rfc/rfc3463 and https://www.rfc-editor.org/rfc/rfc7505. A bare 550 may be a matter of
 * policy.
 */
const noMailboxReply = /^5\d\d[ -]5\.(?:1\.(?:1|2|3|6|10)|2\.1)(?!\d)/;
