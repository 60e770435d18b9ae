import { createServer, type RequestListener, type Server } from "node:http";
import { second } from "../client/rules/time.ts";
import { StartError } from "./errors.ts";
import { refuseMalformed } from "./http/refuse-malformed.ts";

/**
 * Limits that keep slow or hostile connections from holding the service:
 * https://nodejs.org/api/http.html#httpcreateserveroptions-requestlistener
 */
const limits = {
  headersTimeout: 5 * second,
  requestTimeout: 10 * second,
  // What is too slow is closed within 11 s, however busy the service is: test/faults/slow-sockets.ts
  connectionsCheckingInterval: second / 2,
  // Longer than the idle time of usual edge proxies, so that it is they who close.
  keepAliveTimeout: 75 * second,
  maxHeaderSize: 16 * 1024,
};

/** How many connections are held at once. Each may take some 20 kB. */
const maxConnections = 4_000;

/**
 * Listens for requests.
 * @param port - 0 lets the system choose one
 * @returns the server, and the port at which it listens
 * @throws StartError when the system refuses the host or the port
 */
export function listen(
  listener: RequestListener,
  host: string,
  port: number,
): Promise<{ server: Server; port: number }> {
  const server = createServer(limits, refuseMalformed(listener));
  server.maxConnections = maxConnections;
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new StartError([`environment: can't listen on ${host}:${port} (${error.code})`])),
    );
    server.listen(port, host, () => {
      const address = server.address();
      resolve({ server, port: typeof address === "object" && address ? address.port : port });
    });
  });
}
