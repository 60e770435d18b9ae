import { join } from "node:path";
import type { Env } from "../../env.ts";
import { createFileTransport } from "./file-transport.ts";
import type { MailTransport } from "./mail-transport.ts";
import { createSmtpTransport } from "./smtp-transport.ts";

/** Creates what hands mails to the server that the environment names, or writes them to files in the data folder. */
export function createMailTransport({ dataDir, smtpUrl }: Pick<Env, "dataDir" | "smtpUrl">): MailTransport {
  return smtpUrl ? createSmtpTransport(smtpUrl) : createFileTransport(join(dataDir, "outbox"));
}
