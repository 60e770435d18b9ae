import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import type { WebhookSecrets } from "../config/env.ts";

/** The signed parts of a message by https://www.standardwebhooks.com. */
interface SignedMessage {
  id: string;
  /** In seconds since 1970. */
  timestamp: string;
  body: string | Buffer;
}

/** Reads the keys that sign messages, from the variable or the file. */
export function readKeys({ secret, secretFile = "" }: WebhookSecrets): Buffer[] {
  const list = secret ?? readFileSync(secretFile, "utf8").trim();
  return list.split(",").map((entry) => Buffer.from(entry.trim().replace(/^whsec_/, ""), "base64"));
}

/**
 * Signs a message with every key.
 * @returns the header `webhook-signature`
 */
export function sign(keys: readonly Buffer[], message: SignedMessage): string {
  return signaturesOf(keys, message).join(" ");
}

/**
 * Whether a message is signed with one of the keys.
 * @param signatures - the header `webhook-signature`
 */
export function isSigned(keys: readonly Buffer[], message: SignedMessage, signatures: string): boolean {
  const given = signatures.split(" ").map((signature) => Buffer.from(signature));
  return signaturesOf(keys, message)
    .map((signature) => Buffer.from(signature))
    .some((right) => given.some((one) => one.length === right.length && timingSafeEqual(one, right)));
}

function signaturesOf(keys: readonly Buffer[], { id, timestamp, body }: SignedMessage): string[] {
  return keys.map(
    (key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`,
  );
}
