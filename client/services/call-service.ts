import { type Milliseconds, second } from "../rules/time.ts";

interface ServiceRequest extends Pick<RequestInit, "cache" | "credentials" | "priority" | "redirect"> {
  /** `GET` if missing. */
  method?: "POST";
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: object;
}

export interface ServiceAnswer {
  /** Status and headers; the status is 0 if there was no answer. */
  response: Response;
  /** The JSON of the answer, an object or an array; an empty object if there was none. */
  body: Record<string, unknown>;
}

/** The maximum time for an answer. */
export const timeout: Milliseconds = 15 * second;

/** CSRF protection: pages of other sites can't send this header. */
export const csrfHeader = { "X-hunter-csrf": "1" };

/**
 * Calls a service of the shop and reads the whole answer, which frees the connection. A success with an HTML page or
 * with broken JSON counts as no answer: a proxy in front of a broken service may send one, the services never do. Never
 * throws.
 */
export async function callService(
  address: string,
  { headers, body, ...options }: ServiceRequest,
): Promise<ServiceAnswer> {
  const request: RequestInit = {
    ...options,
    headers: {
      ...(body && { "Content-Type": "application/json" }),
      ...(options.method && csrfHeader),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout),
  };
  try {
    const response = await fetch(address, request);
    const text = await response.text();
    const json = parse(text);
    const type = response.headers.get("Content-Type") ?? "";
    const isBroken = type.startsWith("text/html") || (type.includes("json") && text !== "" && json === undefined);
    return { response: response.ok && isBroken ? Response.error() : response, body: Object(json) };
  } catch {
    return { response: Response.error(), body: {} };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
