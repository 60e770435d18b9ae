import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import express from "express";
import { second } from "../../client/rules/time.ts";
import type { Env } from "../config/env.ts";
import { healthRoutes } from "../http/health-routes.ts";
import { createSecurityHeaders } from "../http/security-headers.ts";
import { StartError } from "../platform/errors.ts";
import { parseHostName } from "../platform/host-name.ts";
import { createOpsApp, type OpsContext } from "./ops-app.ts";
import { checkPorts } from "./ports.ts";

/**
 * Limits that keep slow or hostile connections from holding the service:
 * https://nodejs.org/api/http.html#httpcreateserveroptions-requestlistener
 */
const limits = {
  headersTimeout: 5 * second,
  requestTimeout: 10 * second,
  // How often Node looks for slow connections. One is closed within 11 s, however busy the service is.
  connectionsCheckingInterval: second / 2,
  // Longer than the idle time of common edge proxies, so that they close connections first.
  keepAliveTimeout: 75 * second,
  maxHeaderSize: 16 * 1024,
};

/** The maximum number of open connections. Each may take about 20 kB. */
const maxConnections = 4_000;
/** From this number on, connections close after their response: idle ones must not shut out other clients. */
const maxIdle = 3_000;

interface ProcessContext extends Omit<OpsContext, "securityHeaders"> {
  env: Pick<Env, "host" | "hsts" | "opsPort" | "port">;
}

/**
 * Listens at both ports before the service is loaded: the system may choose the port, and readiness is answered during
 * the start.
 * @returns the main listener with its port, the servers of both listeners, and the function that replaces the answers
 * of the start
 * @throws StartError if the system refuses a port
 */
export async function listenWhileStarting(context: ProcessContext) {
  const { env, metrics, readiness } = context;
  const securityHeaders = createSecurityHeaders(env);
  await checkPorts(env);
  let handle: RequestListener = express()
    .disable("x-powered-by")
    .use(healthRoutes(readiness, securityHeaders))
    .use((_request, response) => response.status(503).set("Retry-After", "1").end());
  const { server, port } = await listen((request, response) => handle(request, response), env.host, env.port);
  server.on("drop", () => metrics.dropped.inc());
  const servers = [server];
  if (env.opsPort > 0)
    servers.push((await listen(createOpsApp({ ...context, securityHeaders }), env.host, env.opsPort)).server);
  return {
    server,
    servers,
    port,
    serve(listener: RequestListener) {
      handle = listener;
    },
  };
}

/**
 * Listens for requests.
 * @param port - 0 lets the system choose
 * @returns the server, and the port at which it listens
 * @throws StartError if the system refuses the host or the port
 */
function listen(listener: RequestListener, host: string, port: number): Promise<{ server: Server; port: number }> {
  let open = 0;
  const answer = rejectMalformed(listener);
  const server = createServer(limits, (request, response) => {
    if (open > maxIdle) response.setHeader("Connection", "close");
    answer(request, response);
  });
  server.maxConnections = maxConnections;
  server.on("connection", (socket) => {
    open += 1;
    socket.once("close", () => {
      open -= 1;
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new StartError([`environment: can't listen on ${host}:${port} (${error.code})`])),
    );
    server.listen({ port, host, backlog: maxConnections }, () => {
      const address = server.address();
      resolve({ server, port: typeof address === "object" && address ? address.port : port });
    });
  });
}

const httpVersions = ["1.0", "1.1"];

/**
 * Rejects everything that isn't a request of HTTP/1.0 or HTTP/1.1: https://www.rfc-editor.org/rfc/rfc9112. Node accepts
 * more, which a cache in front could interpret differently. An absolute URL is passed to the listener as a path
 * (section 3.2.2).
 */
function rejectMalformed(listener: RequestListener): RequestListener {
  return (request, response) => {
    const path = pathOf(request);
    if (path === undefined || !isFramed(request) || !httpVersions.includes(request.httpVersion)) {
      response.writeHead(400, { Connection: "close" }).end();
    } else {
      request.url = path;
      listener(request, response);
    }
  };
}

/**
 * Whether a body is framed correctly: by its length, or in chunks, which HTTP/1.0 doesn't know. No other transfer
 * coding is accepted (RFC 9112, 6.1).
 */
function isFramed({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers["transfer-encoding"];
  return coding === undefined || (httpVersion === "1.1" && coding.toLowerCase() === "chunked");
}

/**
 * Returns path and query of a request; undefined if it names several hosts or an invalid one (RFC 9112, 3.2). HTTP/1.0
 * may name none, and Node rejects HTTP/1.1 without one.
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
