import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface MailCatcher {
  /** Every mail that has come so far, in their order. */
  mails: readonly Email[];
  stop(): Promise<void>;
}

/** Starts a mail server that takes every mail and passes none on. */
export async function startMailCatcher(host: string, port: number): Promise<MailCatcher> {
  const mails: Email[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ["STARTTLS"], disableReverseLookup: true, logger: false },
    onData(stream, _session, done) {
      // A sender that is killed breaks off in the middle of a mail.
      buffer(stream)
        .then((message) => PostalMime.parse(message))
        .then((mail) => void mails.push(mail))
        .then(() => done(), done);
    },
  });
  server.on("error", () => undefined);
  const listener = server.listen(port, host);
  if (!listener.listening) await once(listener, "listening");
  return { mails, stop: () => new Promise((resolve) => server.close(resolve)) };
}
