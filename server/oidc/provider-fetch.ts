import { LRUCache } from "lru-cache";
import type { CustomFetch, FetchBody } from "openid-client";
import { second } from "../../client/rules/time.ts";
import { UpstreamError } from "../platform/errors.ts";
import { isLoopback } from "../platform/host-name.ts";
import type { Metrics } from "../platform/metrics.ts";
import { createBreaker, probeDeadline } from "../upstream/call-policies.ts";
import { createUpstream, type Upstream, type UpstreamAnswer } from "../upstream/upstream.ts";

interface FetchOptions extends Pick<Upstream, "outage"> {
  /** The provider's name in logs, metrics and errors. */
  name: string;
  metrics: Metrics;
  production: boolean;
}

/** The deadline of one call. A sign-in makes up to four, and its visitor waits. */
export const callDeadline = 5 * second;
/** The largest answer, in bytes. Lists of keys are the longest. */
const maxAnswer = 256 * 1024;

/**
 * Creates the function by which openid-client calls a provider: with the connections, time limits, metrics and spans of
 * the real services. It throws UpstreamError if the provider can't answer.
 */
export function createProviderFetch({ name, metrics, outage, production }: FetchOptions): CustomFetch {
  const guard = createBreaker(name, metrics);
  // A provider may have its keys and its tokens at different origins.
  const upstreams = new LRUCache({
    max: 10,
    memoMethod: (url: string) => createUpstream({ name, url, metrics, outage, deadline: callDeadline, maxAnswer }),
  });
  return async (address, { method, headers, body }) => {
    const url = new URL(address);
    if (!mayBeCalled(url, production))
      throw new UpstreamError(name, "not asked, as an address isn't https", { mayBeDown: false });
    return guard((isProbe) =>
      upstreams.memo(url.origin)({
        method,
        path: url.pathname + url.search,
        headers,
        body: toBuffer(body),
        ...(isProbe && { within: probeDeadline }),
        read: (answer) => toResponse(name, answer),
      }),
    );
  };
}

/** Whether an address of a provider is safe to call: codes, secrets and tokens travel there. */
function mayBeCalled({ protocol, hostname }: URL, production: boolean): boolean {
  return protocol === "https:" || (protocol === "http:" && !production && isLoopback(hostname));
}

function toBuffer(body: FetchBody): Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body !== "string" && !(body instanceof URLSearchParams))
    throw new TypeError("only forms are sent to a provider");
  return Buffer.from(String(body));
}

/** Keeps the only headers that openid-client reads. */
function toResponse(name: string, { status, headers, body }: UpstreamAnswer): Response {
  if (status < 200 || status >= 500) throw new UpstreamError(name, `status ${status}`);
  const type = headers["content-type"];
  const challenge = headers["www-authenticate"];
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : new Uint8Array(body), {
    status,
    headers: { ...(type && { "content-type": type }), ...(challenge && { "www-authenticate": challenge }) },
  });
}
