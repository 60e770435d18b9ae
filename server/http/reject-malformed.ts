import type { IncomingMessage, RequestListener } from "node:http";
import { parseHostName } from "../platform/formats.ts";

const versions = ["1.0", "1.1"];

/**
 * Rejects what isn't a request of HTTP/1.0 or HTTP/1.1: https://www.rfc-editor.org/rfc/rfc9112. Node accepts more, which
 * a cache in front could take for another request than this service does. The listener gets an absolute URL as a path.
 */
export function rejectMalformed(listener: RequestListener): RequestListener {
  return (request, response) => {
    const path = pathOf(request);
    if (path === undefined || !isFramed(request) || !versions.includes(request.httpVersion)) {
      response.writeHead(400, { Connection: "close" }).end();
    } else {
      request.url = path;
      listener(request, response);
    }
  };
}

/** Accepts a body in chunks, which HTTP/1.0 doesn't know, or with its length; no other transfer coding. */
function isFramed({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers["transfer-encoding"];
  return coding === undefined || (httpVersion === "1.1" && coding.toLowerCase() === "chunked");
}

/**
 * Returns path and query of a request; undefined if it names several hosts or an invalid one. HTTP/1.0 may name none,
 * and Node rejects HTTP/1.1 without.
 */
function pathOf({ headersDistinct, method, url = "" }: IncomingMessage): string | undefined {
  const [host, second] = headersDistinct.host ?? [];
  if (second !== undefined || (host !== undefined && parseHostName(host) === undefined)) return undefined;
  if (url.includes("#")) return undefined;
  if (url.startsWith("/") || (url === "*" && method === "OPTIONS")) return url;
  const [, authority, path = ""] = /^https?:\/\/([^/?]+)(.*)$/i.exec(url) ?? [];
  if (authority === undefined || authority.toLowerCase() !== host?.toLowerCase()) return undefined;
  return path.startsWith("/") ? path : `/${path}`;
}
