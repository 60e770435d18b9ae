import type { RequestListener, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { second } from "../../client/rules/time.ts";
import { answerRightly, rightAnswerTo } from "../support/answer-rightly.ts";
import { type FaultyServer, startFaultyServer } from "../support/faulty-server.ts";

/** What no caller may ever be shown. */
export const inside = "inside-the-upstream";

interface Fault {
  /** What the upstream does with a call; undefined where it takes no connections. */
  answer: RequestListener | undefined;
  /** Whether it gives the right answer in the end. */
  isHarmless?: boolean;
}

const json = { "Content-Type": "application/json" };

/** Sends the right answer a byte at a time. */
const sendBytewise: RequestListener = async (request, response) => {
  const { status, headers, body } = rightAnswerTo(request);
  response.writeHead(status, headers);
  for (const byte of body) {
    response.write(byte);
    await pause(1);
  }
  response.end();
};

/** What can be wrong with an upstream, by name. A host without address is tried by another origin. */
export const upstreamFaults = {
  "answers after 2 s": {
    answer: async (request, response) => {
      await pause(2 * second);
      answerRightly(request, response);
    },
    isHarmless: true,
  },
  "sends a byte at a time": { answer: sendBytewise, isHarmless: true },
  hangs: { answer: () => undefined },
  "drips without end": {
    answer: (_request, response) => {
      const timer = setInterval(() => begin(response).write(" "), 100);
      response.on("close", () => clearInterval(timer));
    },
  },
  "resets the connection": { answer: (request) => void request.socket.resetAndDestroy() },
  "cuts the body": {
    answer: (_request, response) => {
      response.setHeader("Content-Length", 100);
      begin(response).write("{", () => response.destroy());
    },
  },
  "takes no connections": { answer: undefined },
  "answers everything with 500": {
    answer: (_request, response) => void response.writeHead(500, { "Content-Type": "application/json" }).end("{}"),
  },
  "sends pages": {
    answer: (_request, response) => {
      response.setHeader("Content-Type", "text/html").end(`<!doctype html><title>${inside}</title>`);
    },
  },
  "sends 300 MB": {
    answer: (_request, response) => {
      const chunk = Buffer.alloc(64 * 1024, " ");
      let left = (300 * 1024 * 1024) / chunk.length;
      const send = () => {
        while (left-- > 0 && !response.destroyed && response.write(chunk));
      };
      begin(response).on("drain", send);
      send();
    },
  },
  "sends what it calls gzip": {
    answer: (_request, response) => {
      response.setHeader("Content-Encoding", "gzip");
      begin(response).end(inside);
    },
  },
  "sends a storm of headers": {
    answer: (request) => {
      const headers = Array.from({ length: 5_000 }, (_, i) => `x-${i}: ${inside}\r\n`);
      request.socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n${headers.join("")}\r\n{}`);
    },
  },
  "sends headers that contradict each other": {
    answer: (request) => {
      const headers = "Connection: x\r\nConnection: y\r\nContent-Length: 5\r\nTransfer-Encoding: chunked";
      request.socket.end(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n${inside}`);
    },
  },
  "sends nonsense instead of HTTP": { answer: (request) => void request.socket.end(`\u0000\u0001 ${inside}\r\n\r\n`) },
  "sends nonsense instead of JSON": { answer: (_request, response) => void begin(response).end(`{"${inside}`) },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof upstreamFaults;

/** Starts an upstream that is well until it is told to fail. */
export function startFaultyUpstream(): Promise<FaultyServer<FaultName>> {
  const answers = Object.entries(upstreamFaults).map(([name, { answer }]) => [name, answer]);
  return startFaultyServer(answerRightly, Object.fromEntries(answers));
}

function begin(response: ServerResponse): ServerResponse {
  if (!response.headersSent) response.writeHead(response.req.url?.endsWith("subscribers") ? 202 : 200, json);
  return response;
}
