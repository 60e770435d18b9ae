/** A token as the login service issues it, its times relative to now, in seconds. */
export function writeToken({ ren, exp, lid }: { ren: number; exp: number; lid?: unknown }): string {
  const now = Math.floor(Date.now() / 1000);
  return writePayload({ ren: now + ren, exp: now + exp, ...(lid !== undefined && { lid }) });
}

export function writePayload(payload: unknown): string {
  const parts = [{ alg: "HS256" }, payload].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return [...parts, "signature"].join(".");
}
