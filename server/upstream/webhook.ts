import { type Milliseconds, type Moment, second } from "../../client/rules/time.ts";
import type { WebhookSecrets } from "../config/env.ts";
import { createMessageSender, type FindFault } from "./message-sender.ts";
import { readKeys, sign } from "./signatures.ts";

export type Webhook = ReturnType<typeof createWebhook>;

interface WebhookOptions {
  /** The maximum time for a delivery. A process that shuts down waits as long for the answer. */
  deadline: Milliseconds;
  clock?: () => Moment;
  findFault?: FindFault;
}

/**
 * Creates the client of a webhook by https://www.standardwebhooks.com. It signs with every secret, so that the receiver
 * can replace its own.
 */
export function createWebhook(
  { url, ...secrets }: { url: string } & WebhookSecrets,
  { deadline, clock = Date.now, findFault }: WebhookOptions,
) {
  const keys = readKeys(secrets);
  const sender = createMessageSender("POST", url, deadline, findFault);
  return {
    /**
     * Sends a message. Returns undefined when it was accepted.
     * @param id - the same at every attempt
     */
    send(id: string, body: string) {
      const timestamp = String(Math.floor(clock() / second));
      const headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": sign(keys, { id, timestamp, body }),
      };
      return sender.send(headers, body);
    },
    close: sender.close,
  };
}
