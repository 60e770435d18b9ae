import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createMetrics, type Metrics } from "../../server/platform/metrics.ts";
import { createUpstreamHealthLog, type Upstream } from "../../server/upstream/upstream.ts";
import { createTestLog } from "./test-log.ts";

export interface Stub extends Upstream {
  origin: string;
  /** Where its callers count their calls. */
  metrics: Metrics;
  /** Every request so far. */
  requests: IncomingMessage[];
  /** What it answers from now on. */
  answer: RequestListener;
  close(): Promise<void>;
}

/** Starts an upstream that answers as told, and ends with the test. */
export async function startStub(answer: RequestListener): Promise<Stub> {
  const server = createServer((request, response) => {
    stub.requests.push(request);
    stub.answer(request, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stub: Stub = {
    origin,
    url: origin,
    metrics: createMetrics(),
    outage: createUpstreamHealthLog("stub", createTestLog().logger),
    requests: [],
    answer,
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  onTestFinished(() => stub.close());
  return stub;
}

/** Serves a listener until the test ends. Returns its port. */
export async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Never answers, as long as the connection lasts. */
export const hang: RequestListener = () => undefined;

/** Starts an answer that never ends, a byte at a time. */
export const drip: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Type": "application/json" });
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

/** Sends without end, as fast as it is read. */
export const flood: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Type": "application/json" });
  const chunk = Buffer.alloc(64 * 1024, " ");
  const send = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on("drain", send);
  send();
};

/** Breaks the connection in the middle of the answer. */
export const breakOff: RequestListener = (_request, response) => {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
  response.write("{", () => response.destroy());
};

/** Answers a status with a body that must never show up in a log. */
export const status =
  (code: number): RequestListener =>
  (_request, response: ServerResponse) => {
    response.writeHead(code).end("secret body");
  };

/** Answers JSON as it is given. */
export const json =
  (text: string, status = 200): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end(text);
  };
