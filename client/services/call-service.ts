import { type Milliseconds, second } from "../rules/time.ts";

/** In what one call differs from another. */
export interface ServiceRequest extends Pick<RequestInit, "cache" | "credentials" | "priority" | "redirect"> {
  /** The method; without it the call is a GET. */
  method?: "POST";
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
  /** Aborts the call; without it the call is aborted when it takes too long. */
  signal?: AbortSignal;
}

/** What a service has answered, read to its end. */
export interface ServiceAnswer {
  /** Status and headers; the status is 0 when there was no answer. */
  response: Response;
  /** The JSON it sent: an object or a list; an empty object when it sent none. */
  body: Record<string, unknown>;
}

/** Makes the call: a `window`, or what a test puts in its place. */
export interface Fetcher {
  fetch(address: string, request: RequestInit): Promise<Response>;
}

/** A call without an answer after this time has failed. */
export const timeout: Milliseconds = 15 * second;

/** Proves to the services that a script of the shop calls: pages of other sites can't send this header. */
export const csrfHeader = { "X-hunter-csrf": "1" };

/**
 * Calls a service of the shop, and reads its answer to the end: until then the browser keeps the connection. A success
 * that is a page counts as no answer: no service sends one, but what stands in front of a broken one may. Never throws.
 */
export async function callService(
  address: string,
  { headers, body, signal = AbortSignal.timeout(timeout), ...options }: ServiceRequest,
  fetcher: Fetcher = globalThis,
): Promise<ServiceAnswer> {
  const request: RequestInit = {
    ...options,
    headers: {
      ...(body && { "Content-Type": "application/json" }),
      ...(options.method && csrfHeader),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    signal,
  };
  try {
    const response = await fetcher.fetch(address, request);
    const json = await response.json().catch(() => undefined);
    const isPage = response.ok && response.headers.get("Content-Type")?.startsWith("text/html");
    return { response: isPage ? Response.error() : response, body: Object(json) };
  } catch {
    return { response: Response.error(), body: {} };
  }
}
