import type { IncomingHttpHeaders } from "node:http";
import { second } from "../../../../client/rules/time.ts";
import { UpstreamError } from "../../../platform/errors.ts";
import { createMetrics } from "../../../platform/metrics.ts";
import { createUpstream, type UpstreamAnswer } from "../../../upstream/upstream.ts";
import { type Differs, parseJson } from "../check-value.ts";
import type { Findings } from "../findings.ts";
import { quoteForShell, writeCurl } from "../message.ts";

/** A call of a provider. */
export interface ProviderCall {
  /** An absolute address with its query. */
  url: string;
  /** The fields that are posted; without them, the call is a GET. */
  form?: Record<string, string>;
  /** The client's secret, sent in the header or in the form. */
  secret?: { by: "client_secret_basic" | "client_secret_post"; id: string; value: string; variable: string };
}

export interface ProviderAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** The value of its JSON; an empty object for any other body. */
  json: Record<string, unknown>;
  differs: Differs;
}

/** @returns undefined if there is no complete answer in time, which is a deviation */
export type AskProvider = (call: ProviderCall, what: string) => Promise<ProviderAnswer | undefined>;

/** Longest time for an answer, in seconds, as for a sign-in. */
const limit = 10;
/** In bytes. */
const maxAnswer = 1024 * 1024;

/** Creates the caller of an identity provider, whose addresses may have different origins. */
export function createProviderProbe({ count }: Findings): AskProvider {
  const senders = new Map<string, ReturnType<typeof createUpstream>>();

  return async (call, what) => {
    const { origin, pathname, search } = new URL(call.url);
    const { headers, body, curl } = writeCall(call);
    const method = body === undefined ? "GET" : "POST";
    const differs = count({ call: `${method} ${origin}${pathname}`, case: what, curl });
    const message = {
      method,
      path: pathname + search,
      headers,
      body: body === undefined ? undefined : Buffer.from(body),
    };
    try {
      return await senderOf(origin)({ ...message, read: (answer) => readAnswer(answer, differs) });
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      differs("answer", `must be complete within ${limit} s`, error.fault);
      return undefined;
    }
  };

  function senderOf(origin: string) {
    const outage = { up: () => undefined, down: () => undefined };
    const limits = { deadline: limit * second, maxAnswer };
    const sender =
      senders.get(origin) ?? createUpstream({ name: "oidc", url: origin, metrics: createMetrics(), outage, ...limits });
    senders.set(origin, sender);
    return sender;
  }
}

/** Returns a call as it is sent, and the line for a shell that sends it, with a variable in place of the secret. */
function writeCall({ url, form, secret }: ProviderCall) {
  const { origin } = new URL(url);
  const accept = { accept: "application/json, text/html" };
  const shown = { url: origin, path: url.slice(origin.length), secrets: {} };
  if (!form) return { headers: accept, curl: writeCurl({ ...shown, method: "GET", headers: accept, body: undefined }) };
  const headers = { ...accept, "content-type": "application/x-www-form-urlencoded" };
  const known = new URLSearchParams(form).toString();
  const curl = writeCurl({ ...shown, method: "POST", headers, body: known });
  if (!secret) return { headers, body: known, curl };
  const { by, id, value, variable } = secret;
  if (by === "client_secret_basic") {
    // Both parts are encoded as in a form (RFC 6749, 2.3.1).
    const [user, password] = [id, value].map((part) => new URLSearchParams({ part }).toString().slice("part=".length));
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
    return {
      headers: { ...headers, authorization },
      body: known,
      curl: `${curl} --user ${quoteForShell(`${id}:`)}"$${variable}"`,
    };
  }
  const body = new URLSearchParams({ ...form, client_id: id, client_secret: value }).toString();
  const own = `--data-urlencode ${quoteForShell(`client_id=${id}`)} --data-urlencode client_secret="$${variable}"`;
  return { headers, body, curl: `${curl} ${own}` };
}

function readAnswer({ status, headers, body }: UpstreamAnswer, differs: Differs): ProviderAnswer {
  const value = parseJson(body);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return { status, headers, json: isObject ? Object.fromEntries(Object.entries(value)) : {}, differs };
}
