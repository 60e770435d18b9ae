import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { type Milliseconds, second } from "../../client/rules/time.ts";

export interface Visit {
  /** Address as a browser shows it, such as `http://de.localhost:8080/`. */
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** The address of this machine that the visitor comes from. */
  from?: string;
}

export interface VisitAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  took: Milliseconds;
}

/** Longest time that a visitor waits. */
const patience: Milliseconds = 20 * second;

/**
 * Asks an edge for an address as a browser does that finds its host there.
 * @param edge - the address of this machine at which the edge listens
 * @throws Error when there is no whole answer in time
 */
export function visit(edge: string, { url, method = "GET", headers = {}, body, from }: Visit): Promise<VisitAnswer> {
  const { host, port, pathname, search } = new URL(url);
  const begun = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<VisitAnswer>();
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const call = request(
    {
      ...{ host: edge, port, method, path: pathname + search, agent: false, signal: AbortSignal.timeout(patience) },
      ...(from && { localAddress: from }),
      headers: { Host: host, ...headers, ...length },
    },
    (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      text(response).then(
        (whole) => resolve({ status, headers: answered, body: whole, took: performance.now() - begun }),
        reject,
      );
    },
  );
  call.once("error", reject).end(body);
  return promise;
}
