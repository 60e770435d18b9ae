import type { Env } from "../../../config/env.ts";
import { createFileTransport, mailFolder } from "./file-transport.ts";
import type { MailTransport } from "./mail-transport.ts";
import { createSmtpTransport } from "./smtp-transport.ts";

/** Opens the transport of emails by the environment. */
export async function openMailTransport({ dataDir, smtpUrl }: Env): Promise<MailTransport> {
  return smtpUrl ? createSmtpTransport(smtpUrl) : createFileTransport(mailFolder(dataDir));
}
