import { createHash } from "node:crypto";
import type { WebhookSecrets } from "../../../config/env.ts";
import { toIso } from "../../../platform/time.ts";
import { createWebhook } from "../../../upstream/webhook.ts";
import { findPage } from "./find-page.ts";
import { type Purge, type PurgeForm, sendTimeout } from "./purge-form.ts";

/**
 * Creates the sender of signed messages to a receiver that purges any other edge. The same tags, queued at the same
 * times, are the same message: https://www.standardwebhooks.com
 */
export function createPurgeWebhook(url: string, secrets: WebhookSecrets): PurgeForm {
  const webhook = createWebhook({ url, ...secrets }, { deadline: sendTimeout, findFault: findPage });
  return {
    tagsPerRequest: 100,
    send: (purges) => webhook.send(idOf(purges), writeMessage(purges)),
    close: webhook.close,
  };
}

function writeMessage(purges: readonly Purge[]): string {
  const timestamp = toIso(Math.max(...purges.map(({ at }) => at)));
  return JSON.stringify({ type: "edge.purge", timestamp, data: { keys: purges.map(({ tag }) => tag) } });
}

function idOf(purges: readonly Purge[]): string {
  const queued = purges.map(({ tag, at }) => `${tag} ${at}`).sort();
  return `purge_${createHash("sha256").update(queued.join("\n")).digest("base64url").slice(0, 24)}`;
}
