import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Milliseconds, type Moment, second } from "../../../../client/rules/time.ts";
import type { NewsletterWebhook } from "../../../config/env.ts";
import { nameOf, StartError } from "../../../platform/errors.ts";
import { formats } from "../../../platform/formats.ts";
import { callHeaders } from "../../../platform/request-context.ts";

/** Longest time for a delivery; a process that shuts down waits as long for the answer. */
export const sendTimeout: Milliseconds = 15 * second;

interface WebhookMessage {
  /** The same at every attempt. */
  id: string;
  body: string;
}

export interface Webhook {
  /** @throws WebhookError when the receiver doesn't accept the message */
  send(message: WebhookMessage): Promise<void>;
  close(): Promise<void>;
}

/** A delivery failed. The message contains neither what was sent nor what was answered. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  /** Whether the receiver answered 410: it wants no more messages. */
  readonly isGone: boolean;

  constructor(reason: string, { isGone = false } = {}) {
    super(reason);
    this.isGone = isGone;
  }
}

interface WebhookOptions {
  url: string;
  secrets: readonly Buffer[];
  clock?: () => Moment;
  timeout?: Milliseconds;
}

/**
 * Creates the client of a webhook by https://www.standardwebhooks.com: a status from 200 to 299 accepts the message, and
 * redirects aren't followed.
 */
export function createWebhook({ url, secrets, clock = Date.now, timeout = sendTimeout }: WebhookOptions): Webhook {
  const { origin, pathname, search } = new URL(url);
  // Idle connections are closed soon: a message on one that the receiver has closed would fail.
  const agent = import("undici").then(({ Agent }) => new Agent({ keepAliveTimeout: second }));
  return {
    async send(message) {
      const status = await post(message);
      if (status < 200 || status > 299) throw new WebhookError(`status ${status}`, { isGone: status === 410 });
    },
    close: async () => (await agent).close(),
  };

  async function post(message: WebhookMessage): Promise<number> {
    const { body } = message;
    const signal = AbortSignal.timeout(timeout);
    const signature = signMessage(message, secrets, clock());
    const headers = { "content-type": "application/json", ...signature, ...callHeaders() };
    try {
      const answer = await (await agent).request({
        origin,
        path: pathname + search,
        method: "POST",
        headers,
        body,
        signal,
      });
      await answer.body.dump();
      return answer.statusCode;
    } catch (error) {
      throw new WebhookError(signal.aborted ? `no answer within ${timeout} ms` : `no answer (${nameOf(error)})`);
    }
  }
}

/** Returns the headers that sign a message with every secret, so that the receiver can replace its secret. */
export function signMessage({ id, body }: WebhookMessage, secrets: readonly Buffer[], at: Moment) {
  const timestamp = String(Math.floor(at / second));
  const signatures = secrets.map((secret) => {
    const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    return `v1,${signature}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

/**
 * Reads the signing secrets from the environment or a file.
 * @throws StartError when the file can't be read or is malformed
 */
export function readWebhookSecrets({ secret, secretFile = "" }: Omit<NewsletterWebhook, "url">): Buffer[] {
  const list = secret ?? readSecretFile(secretFile);
  return list.split(",").map((entry) => Buffer.from(entry.trim().replace(/^whsec_/, ""), "base64"));
}

function readSecretFile(file: string): string {
  const fail = (reason: string) => new StartError([`environment: NEWSLETTER_WEBHOOK_SECRET_FILE ${reason}`]);
  let list: string;
  try {
    list = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw fail(`can't be read (${error instanceof Error ? error.message : String(error)})`);
  }
  const format = formats["webhook-secrets"];
  if (!format?.validate(list)) throw fail(format?.message ?? "is malformed");
  return list;
}
