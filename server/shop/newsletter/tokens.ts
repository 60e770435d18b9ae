import { createHash, randomBytes } from "node:crypto";

export interface NewToken {
  /** For the mail. */
  token: string;
  /** For the store: who reads that can't act for a subscriber. */
  hash: string;
}

/** Makes a token that can't be guessed: 192 random bits, in base64url. */
export function createToken(): NewToken {
  const token = randomBytes(24).toString("base64url");
  return { token, hash: hashToken(token) };
}

/** A fast hash is enough for what is random. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
