import { createHash } from "node:crypto";

/**
 * Returns a strong validator: a hash of everything that decides the bytes of a response, equal on every replica.
 * https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
 */
export function strongEtag(...parts: (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return `"${hash.digest("base64url").slice(0, 27)}"`;
}
