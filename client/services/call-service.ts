import { type Milliseconds, second } from "../rules/time.ts";

/** In what one call differs from another. */
export interface ServiceRequest extends Pick<RequestInit, "cache" | "credentials" | "priority" | "redirect"> {
  /** The method; without it the call is a GET. */
  method?: "POST";
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
}

/** What a service has answered. */
export interface ServiceAnswer {
  /** The status of HTTP; 0 when there was no answer. */
  status: number;
  /** Whether the status is one of success. */
  ok: boolean;
  headers: Headers;
  /** The JSON it sent: an object or a list; an empty object when it sent none. */
  body: Record<string, unknown>;
}

/** Makes the call: a `window`, or what a test puts in its place. */
export interface Fetcher {
  fetch(address: string, request: RequestInit): Promise<Response>;
}

/** A call without an answer after this time has failed. */
const timeout: Milliseconds = 15 * second;

/** Proves to the services that a script of the shop calls: pages of other sites can't send this header. */
export const csrfHeader = { "X-hunter-csrf": "1" };

/**
 * Calls a service of the shop, and reads its answer to the end: until then the browser keeps the connection. Never
 * throws.
 * @param controller - aborts the call; aborted itself when the call takes too long
 */
export async function callService(
  address: string,
  { headers, body, ...options }: ServiceRequest,
  fetcher: Fetcher = globalThis,
  controller = new AbortController(),
): Promise<ServiceAnswer> {
  const timer = setTimeout(() => controller.abort(), timeout);
  const request: RequestInit = {
    ...options,
    headers: {
      ...(body && { "Content-Type": "application/json" }),
      ...(options.method && csrfHeader),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: controller.signal,
  };
  const response = await fetcher.fetch(address, request).catch(() => Response.error());
  const json = await response.json().catch(() => ({}));
  clearTimeout(timer);
  return { status: response.status, ok: response.ok, headers: response.headers, body: Object(json) };
}
