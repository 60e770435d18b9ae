import { readFileSync } from "node:fs";
import { formats } from "../platform/formats.ts";

interface Secret {
  name: string;
  format: string;
  /** The variable that requires it. */
  beside?: string;
  advice?: string;
}

/** The secrets that a file may hold instead. */
const secrets: readonly Secret[] = [
  {
    name: "SECRET_KEY",
    format: "secret-list",
    beside: "DATABASE_URL",
    advice: ": all replicas need the same, such as openssl rand -base64 32 prints",
  },
  { name: "NEWSLETTER_WEBHOOK_SECRET", format: "webhook-secrets", beside: "NEWSLETTER_WEBHOOK_URL" },
  { name: "NEWSLETTER_EVENTS_SECRET", format: "webhook-secrets" },
];
/** The token of each form of purge that has one. */
const purgeTokens: Readonly<Record<string, Secret>> = {
  fastly: { name: "PURGE_TOKEN", format: "token", beside: "PURGE_FORM" },
  cloudflare: { name: "PURGE_TOKEN", format: "token", beside: "PURGE_FORM" },
  webhook: { name: "PURGE_TOKEN", format: "webhook-secrets", beside: "PURGE_FORM" },
};

/**
 * Finds the faults of the secrets, or of the files that hold them. No fault repeats a content.
 * @param set - the variables that are set
 * @returns each fault as `/<variable> <what is wrong>`
 */
export function findSecretFaults(set: NodeJS.ProcessEnv): string[] {
  const purgeToken = purgeTokens[set.PURGE_FORM ?? ""] ?? { name: "PURGE_TOKEN", format: "token" };
  return [...secrets, purgeToken].flatMap((secret) => findFaultsOf(set, secret));
}

function findFaultsOf(set: NodeJS.ProcessEnv, { name, format, beside = "", advice = "" }: Secret): string[] {
  const { [name]: value, [`${name}_FILE`]: file } = set;
  const check = (variable: string, content: string) =>
    formats[format]?.validate(content) ? [] : [`/${variable} ${formats[format]?.message}`];
  if (value !== undefined)
    return file === undefined ? check(name, value) : [`/${name}_FILE must not be set beside ${name}`];
  if (file === undefined) return set[beside] ? [`/${name} is missing beside ${beside}${advice}`] : [];
  try {
    return check(`${name}_FILE`, readFileSync(file, "utf8").trim());
  } catch (error) {
    return [`/${name}_FILE can't be read (${error instanceof Error ? error.message : String(error)})`];
  }
}
