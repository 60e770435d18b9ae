import { createHmac } from "node:crypto";
import { Agent } from "undici";
import { type Milliseconds, type Moment, second } from "../../../client/rules/time.ts";
import { nameOf } from "../../errors.ts";
import { callHeaders } from "../../tracing/work.ts";

/** Longest time until the receiver has answered; as long as a process that leaves waits for it. */
export const sendTimeout: Milliseconds = 15 * second;

/** A message to the receiver. */
export interface WebhookMessage {
  /** Its id, which is the same at every attempt. */
  id: string;
  body: string;
}

/** Hands messages over to the receiver. */
export interface Webhook {
  /** @throws ReceiverError when the receiver doesn't take it */
  send(message: WebhookMessage): Promise<void>;
  close(): Promise<void>;
}

/** Says that the receiver doesn't take a message, and why. It holds nothing of what was sent or answered. */
export class ReceiverError extends Error {
  override readonly name = "ReceiverError";
  /** Whether it wants no more of them. */
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
 * Creates the webhook. It keeps to https://www.standardwebhooks.com: any status from 200 to 299 takes the message, and
 * redirects aren't followed.
 */
export function createWebhook({ url, secrets, clock = Date.now, timeout = sendTimeout }: WebhookOptions): Webhook {
  const { origin, pathname, search } = new URL(url);
  // When the receiver closes a connection first, the next message on it fails.
  const agent = new Agent({ keepAliveTimeout: second });
  return {
    async send(message) {
      const status = await post(message);
      if (status < 200 || status > 299) throw new ReceiverError(`status ${status}`, { isGone: status === 410 });
    },
    close: () => agent.close(),
  };

  async function post({ id, body }: WebhookMessage): Promise<number> {
    const signal = AbortSignal.timeout(timeout);
    const signed = signedHeaders({ id, body }, secrets, clock());
    const headers = { "content-type": "application/json", ...signed, ...callHeaders() };
    try {
      const answer = await agent.request({ origin, path: pathname + search, method: "POST", headers, body, signal });
      await answer.body.dump();
      return answer.statusCode;
    } catch (error) {
      throw new ReceiverError(signal.aborted ? `no answer within ${timeout} ms` : `no answer (${nameOf(error)})`);
    }
  }
}

/** Signs a message with each secret, so that the receiver may know the old one or the new one while it is replaced. */
export function signedHeaders({ id, body }: WebhookMessage, secrets: readonly Buffer[], at: Moment) {
  const timestamp = String(Math.floor(at / second));
  const signatures = secrets.map((secret) => {
    const signature = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
    return `v1,${signature}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
