import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { EdgePurging } from "../../server/config/env.ts";

/** An edge that answers as its vendor's reference says, and refuses what the reference doesn't allow. */
export interface PurgeStandIn {
  form: EdgePurging["form"];
  /** The path of its address. */
  path: string;
  token: string | undefined;
  /** The most tags of one request. */
  most: number;
  /** The tags of each request that it has accepted. */
  purged: string[][];
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

interface Refusal {
  status: number;
  body: object;
}

/** A stand-in for each form. */
export function createStandIns(): PurgeStandIn[] {
  const token = "fjUD3V7Kuqxq-bHWkHmhGHmkHcR5mZ9e";
  const webhookToken = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  return [
    createStandIn({ form: "varnish", path: "/", token: undefined, most: 1 }, readVarnish),
    createStandIn({ form: "fastly", path: "/service/SU1Z0isxPaozGVKXdv0eY/purge", token, most: 256 }, readFastly),
    createStandIn(
      { form: "cloudflare", path: "/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/purge_cache", token, most: 100 },
      readCloudflare,
    ),
    createStandIn({ form: "webhook", path: "/purges", token: webhookToken, most: 100 }, readWebhook),
  ];
}

type Edge = Pick<PurgeStandIn, "form" | "path" | "token" | "most">;
type Read = (request: IncomingMessage, body: string, edge: Edge) => { tags: string[]; answer: object } | Refusal;

function createStandIn(edge: Edge, read: Read): PurgeStandIn {
  const purged: string[][] = [];
  return {
    ...edge,
    purged,
    async answer(request, response) {
      const body = await text(request);
      const outcome = request.url === edge.path ? read(request, body, edge) : { status: 404, body: {} };
      if ("tags" in outcome) purged.push(outcome.tags);
      const [status, sent] = "tags" in outcome ? [200, outcome.answer] : [outcome.status, outcome.body];
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(sent));
    },
  };
}

/** deploy/edge/varnish.vcl */
function readVarnish({ method, headers }: IncomingMessage, body: string): ReturnType<Read> {
  const keys = String(headers["surrogate-key"] ?? "");
  if (method !== "PURGE" || body !== "") return { status: 405, body: {} };
  return /^[\w.:-]+$/.test(keys) ? { tags: [keys], answer: {} } : { status: 400, body: {} };
}

/**
 * https://www.fastly.com/documentation/reference/api/purging/#bulk-purge-tag
 * https://www.fastly.com/documentation/reference/http/http-headers/Surrogate-Key/
 */
function readFastly({ method, headers }: IncomingMessage, body: string, { token, most }: Edge): ReturnType<Read> {
  if (method !== "POST") return { status: 405, body: { msg: "Method not allowed" } };
  if (headers["fastly-key"] !== token)
    return { status: 401, body: { msg: "Provided credentials are missing or invalid" } };
  const tags = String(headers["surrogate-key"] ?? "").split(" ");
  const fits = tags.length <= most && tags.every((tag) => tag !== "" && tag.length <= 1024);
  if (!fits || body !== "" || headers["fastly-soft-purge"] !== "1")
    return { status: 400, body: { msg: "Bad request" } };
  return { tags, answer: Object.fromEntries(tags.map((tag, index) => [tag, `108-1391560174-${index}`])) };
}

/**
 * https://developers.cloudflare.com/api/resources/cache/methods/purge/
 * https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/
 */
function readCloudflare({ method, headers }: IncomingMessage, body: string, { token, most }: Edge): ReturnType<Read> {
  const refuse = (status: number, code: number, message: string) => ({
    status,
    body: { success: false, errors: [{ code, message }], messages: [], result: null },
  });
  if (method !== "POST") return refuse(405, 10_405, "Method not allowed");
  if (headers.authorization !== `Bearer ${token}`) return refuse(403, 10_000, "Authentication error");
  if (headers["content-type"] !== "application/json") return refuse(400, 1003, "Invalid content type");
  const { tags, ...others } = JSON.parse(body);
  const isRight = Array.isArray(tags) && tags.length >= 1 && tags.length <= most && Object.keys(others).length === 0;
  if (!isRight || !tags.every((tag) => /^[!-+\--~]{1,1024}$/.test(tag))) return refuse(400, 1012, "Invalid tags");
  return {
    tags,
    answer: { success: true, errors: [], messages: [], result: { id: "9a7806061c88ada191ed06f989cc3dac" } },
  };
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function readWebhook({ method, headers }: IncomingMessage, body: string, { token = "" }: Edge): ReturnType<Read> {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
  const key = Buffer.from(token.replace("whsec_", ""), "base64");
  const right = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) < 300;
  if (method !== "POST" || !id || !isRecent || signature !== `v1,${right}`) return { status: 401, body: {} };
  const { type, timestamp: at, data, ...others } = JSON.parse(body);
  const isRight = type === "edge.purge" && !Number.isNaN(Date.parse(at)) && Object.keys(others).length === 0;
  return isRight ? { tags: data.keys, answer: {} } : { status: 400, body: {} };
}
