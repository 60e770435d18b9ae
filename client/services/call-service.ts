import { type Milliseconds, second } from "../rules/time.ts";

/** In what a call differs from others. */
export interface ServiceRequest extends Pick<RequestInit, "cache" | "credentials" | "priority" | "redirect"> {
  /** GET when it isn't given. */
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

/** The `window` that makes a call, or what stands for it in a test. */
export interface Fetcher {
  fetch(address: string, request: RequestInit): Promise<Response>;
}

/** After so long without an answer a call has failed. */
const timeout: Milliseconds = 15 * second;

/** Tells the services that a script of the shop makes the call: other sites' pages can't send it. */
export const csrfHeader = { "X-hunter-csrf": "1" };

/**
 * Calls a service of the shop, and reads its answer to the end: until then the browser keeps the connection. Never
 * throws.
 * @param controller - aborts the call; aborted itself when the call takes too long
 */
export async function callService(
  address: string,
  { headers, body, ...request }: ServiceRequest,
  fetcher: Fetcher = globalThis,
  controller = new AbortController(),
): Promise<ServiceAnswer> {
  const timer = setTimeout(() => controller.abort(), timeout);
  try {
    const response = await fetcher.fetch(address, {
      ...request,
      headers: {
        ...(body && { "Content-Type": "application/json" }),
        ...(request.method && csrfHeader),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: controller.signal,
    });
    const json = await response.json().catch(() => ({}));
    return { status: response.status, ok: response.ok, headers: response.headers, body: Object(json) };
  } catch {
    return { status: 0, ok: false, headers: new Headers(), body: {} };
  } finally {
    clearTimeout(timer);
  }
}
