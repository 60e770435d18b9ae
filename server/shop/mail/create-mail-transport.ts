import { join } from "node:path";
import type { Env } from "../../env.ts";
import { createFileTransport } from "./file-transport.ts";
import type { MailTransport } from "./mail-transport.ts";

/** The folder of the mails that are written to files. */
export function mailFolder({ dataDir }: Pick<Env, "dataDir">): string {
  return join(dataDir, "outbox");
}

/** Creates what hands mails to the server that the environment names, or writes them to files in the data folder. */
export async function createMailTransport(env: Pick<Env, "dataDir" | "smtpUrl">): Promise<MailTransport> {
  if (!env.smtpUrl) return createFileTransport(mailFolder(env));
  const { createSmtpTransport } = await import("./smtp-transport.ts");
  return createSmtpTransport(env.smtpUrl);
}
