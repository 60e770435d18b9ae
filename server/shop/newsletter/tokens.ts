import { createHash, randomBytes } from "node:crypto";

export interface NewToken {
  /** The token itself, which the mail alone holds. */
  token: string;
  /** Its hash, with which nobody who reads the store can act for a subscriber. */
  hash: string;
}

/** Makes a token that can't be guessed: 192 random bits, in base64url. */
export function createToken(): NewToken {
  const token = randomBytes(24).toString("base64url");
  return { token, hash: hashToken(token) };
}

/** Hashes a token. A fast hash is enough, as tokens are random. */
export function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
