import { join } from "node:path";
import type { Env } from "../../env.ts";
import { createFileTransport } from "./file-transport.ts";
import type { MailTransport } from "./mail-transport.ts";
import { createSmtpTransport } from "./smtp-transport.ts";

/** The folder of the mails that are written to files. */
export function mailFolder({ dataDir }: Pick<Env, "dataDir">): string {
  return join(dataDir, "outbox");
}

/** Creates what hands mails to the server that the environment names, or writes them to files in the data folder. */
export function createMailTransport(env: Pick<Env, "dataDir" | "smtpUrl">): MailTransport {
  return env.smtpUrl ? createSmtpTransport(env.smtpUrl) : createFileTransport(mailFolder(env));
}
