import type { IncomingMessage, RequestListener } from "node:http";
import { hostNameOf } from "./host.ts";

const versions = ["1.0", "1.1"];

/**
 * Lets a listener answer only what is a request of HTTP/1.0 or HTTP/1.1: https://www.rfc-editor.org/rfc/rfc9112. Node
 * lets more through, which a cache in front could take for another request than this service does. The listener gets
 * a whole address, as clients send it to proxies, as a path.
 */
export function refuseMalformed(listener: RequestListener): RequestListener {
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

/** A body comes in chunks, which HTTP/1.0 doesn't know, or with its length. No other coding is known here. */
function isFramed({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers["transfer-encoding"];
  return coding === undefined || (httpVersion === "1.1" && coding.toLowerCase() === "chunked");
}

/**
 * Gives the path and the query that a request asks for; undefined when it names more than one host, or none that HTTP
 * allows. HTTP/1.0 may name none, and Node refuses HTTP/1.1 without.
 */
function pathOf({ headersDistinct, method, url = "" }: IncomingMessage): string | undefined {
  const [host, second] = headersDistinct.host ?? [];
  if (second !== undefined || (host !== undefined && hostNameOf(host) === undefined)) return undefined;
  if (url.includes("#")) return undefined;
  if (url.startsWith("/") || (url === "*" && method === "OPTIONS")) return url;
  const [, authority, path = ""] = /^https?:\/\/([^/?]+)(.*)$/i.exec(url) ?? [];
  if (authority === undefined || authority.toLowerCase() !== host?.toLowerCase()) return undefined;
  return path.startsWith("/") ? path : `/${path}`;
}
