import { readFileSync } from "node:fs";
import type { NewsletterWebhook } from "../../env.ts";
import { StartError } from "../../errors.ts";
import { formats } from "../../formats.ts";

/**
 * Reads the secrets that sign events.
 * @throws StartError when there is none, or what is there is none
 */
export function readWebhookSecrets({
  secret,
  secretFile = "",
}: Pick<NewsletterWebhook, "secret" | "secretFile">): Buffer[] {
  const list = secret ?? readSecretFile(secretFile);
  return list.split(",").map((entry) => Buffer.from(entry.trim().replace(/^whsec_/, ""), "base64"));
}

function readSecretFile(file: string): string {
  const list = readText(file).trim();
  const format = formats["webhook-secrets"];
  if (!format?.validate(list)) throw new StartError([`environment: NEWSLETTER_WEBHOOK_SECRET_FILE ${format?.message}`]);
  return list;
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError([`environment: NEWSLETTER_WEBHOOK_SECRET_FILE can't be read (${reason})`]);
  }
}
