import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Milliseconds, type Moment, second } from "../../../../client/rules/time.ts";
import type { NewsletterWebhook } from "../../../config/env.ts";
import { createMessageSender } from "../../../upstream/message-sender.ts";

/** Longest time for a delivery; a process that shuts down waits as long for the answer. */
export const sendTimeout: Milliseconds = 15 * second;

export type Webhook = ReturnType<typeof createWebhook>;

/**
 * Creates the client of a webhook by https://www.standardwebhooks.com. It signs with every secret, so that the receiver
 * can replace its secret.
 */
export function createWebhook({ url, secret, secretFile = "" }: NewsletterWebhook, clock: () => Moment = Date.now) {
  const list = secret ?? readFileSync(secretFile, "utf8").trim();
  const secrets = list.split(",").map((entry) => Buffer.from(entry.trim().replace(/^whsec_/, ""), "base64"));
  const sender = createMessageSender("POST", url, sendTimeout);
  return {
    /**
     * Sends a message. Returns undefined when it was accepted.
     * @param id - the same at every attempt
     */
    send(id: string, body: string) {
      const timestamp = String(Math.floor(clock() / second));
      const sign = (key: Buffer) => createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
      const headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": timestamp,
        "webhook-signature": secrets.map((key) => `v1,${sign(key)}`).join(" "),
      };
      return sender.send(headers, body);
    },
    close: sender.close,
  };
}
