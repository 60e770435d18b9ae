import type { IncomingMessage } from "node:http";

/** A request whose body a parser, such as `express.json()`, may have read. */
export interface ParsedRequest extends IncomingMessage {
  body?: unknown;
}

/**
 * Restores the body of a request that a parser has read before.
 * @returns undefined if nothing has been read
 * @throws Error if the body can't be restored, such as an upload or a nested form
 */
export function parsedBody({ readableDidRead, headers, body, method, url }: ParsedRequest): Buffer | undefined {
  if (!readableDidRead) return undefined;
  if (body instanceof Uint8Array) return Buffer.from(body);
  if (typeof body === "string") return Buffer.from(body);
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  if (body !== undefined && /[/+]json$/.test(type.trim())) return Buffer.from(JSON.stringify(body));
  const fields = type.trim() === "application/x-www-form-urlencoded" ? fieldsOf(body) : undefined;
  if (fields) return Buffer.from(String(new URLSearchParams(fields)));
  const path = url?.split("?", 1);
  throw new Error(`The body of ${method} ${path} has been read: use storefront() before the middleware that reads it`);
}

/** Returns the fields of a form, or undefined if they are nested. */
function fieldsOf(form: unknown): [string, string][] | undefined {
  if (typeof form !== "object" || form === null) return undefined;
  const fields = Object.entries(form).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  return fields.every((field): field is [string, string] => typeof field[1] === "string") ? fields : undefined;
}
