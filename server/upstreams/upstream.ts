import type { IncomingHttpHeaders } from "node:http";
import type { Milliseconds } from "../../client/rules/time.ts";
import { nameOf, UpstreamError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { createOutage, type Outage } from "../outage.ts";
import { inSpan } from "../tracing/in-span.ts";
import { callHeaders } from "../tracing/work.ts";
import { type CallLimits, createCallQueue } from "./call-queue.ts";
import { createRetry } from "./retry.ts";

/** An upstream, where its calls are counted, and what tells of its outages. */
export interface Upstream {
  /** Its origin, and the path that all of its calls begin with, if there is one. */
  url: string;
  metrics: Pick<Metrics, "upstreamCalls" | "upstreamsDown">;
  outage: Outage;
}

export interface UpstreamOptions extends Upstream, CallLimits {
  /** What logs, metrics and errors call the upstream. */
  name: string;
  /** Longest time until the last byte of an answer. */
  deadline: Milliseconds;
  /** Largest body of an answer, in bytes. */
  maxAnswer: number;
}

interface Message {
  method: string;
  /** Path of the call, with its query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer | undefined;
  /** Ends the call early, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Longest time for this call, where it is another one than for all. */
  within?: Milliseconds | undefined;
}

export interface UpstreamRequest<T> extends Message {
  /** Reads the whole answer, whatever its status. It throws UpstreamError where the answer isn't what it must be. */
  read(answer: UpstreamAnswer): T;
}

export interface UpstreamAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Calls an upstream, and gives what is read of its answer. Redirects aren't followed. */
export type AskUpstream = <T>(request: UpstreamRequest<T>) => Promise<T>;

/** How a call ends, as the metrics tell it. */
export type CallOutcome = "answered" | "failed" | "broken" | "unanswered" | "abandoned";

/**
 * Creates the caller of one upstream, with connections of its own.
 * @returns a function that throws UpstreamError when no answer comes in time and within the size, or when the upstream
 * is too busy to be asked, or what reading the answer throws, or the reason of its signal
 */
export function createUpstream({
  name,
  url,
  metrics,
  outage,
  deadline,
  maxAnswer,
  ...limits
}: UpstreamOptions): AskUpstream {
  const { origin, protocol, hostname, port, pathname } = new URL(url);
  const basePath = pathname.replace(/\/+$/, "");
  // undici is loaded only where there is a real service.
  const agent = import("./create-agent.ts").then(({ createAgent }) => createAgent(maxAnswer));
  const queue = createCallQueue(name, limits);
  const retry = createRetry();
  const peer = {
    "peer.service": name,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
  };

  return async ({ read, ...message }) => {
    const end = metrics.upstreamCalls.startTimer({ upstream: name });
    let outcome: CallOutcome = "unanswered";
    try {
      const answer = await queue(() => ask(message));
      outcome = answer.status < 500 ? "broken" : "failed";
      const value = read(answer);
      if (answer.status < 500) outcome = "answered";
      outage.answered();
      return value;
    } catch (error) {
      if (error instanceof UpstreamError) outage.failed({ reason: error.fault, err: error });
      throw error;
    } finally {
      end({ outcome: outcome === "unanswered" && message.signal?.aborted ? "abandoned" : outcome });
    }
  };

  async function ask({ signal, within = deadline, ...message }: Message): Promise<UpstreamAnswer> {
    const timeUp = AbortSignal.timeout(within);
    const ended = signal ? AbortSignal.any([timeUp, signal]) : timeUp;
    try {
      return await retry(message.method, () => exchange(message, ended), ended);
    } catch (error) {
      signal?.throwIfAborted();
      if (timeUp.aborted) throw new UpstreamError(name, `no answer within ${within} ms`);
      const isTooLarge = nameOf(error) === "UND_ERR_RES_EXCEEDED_MAX_SIZE";
      if (isTooLarge) throw new UpstreamError(name, `answer larger than ${maxAnswer} bytes`, { mayBeDown: false });
      throw new UpstreamError(name, `no answer (${nameOf(error)})`);
    }
  }

  async function exchange(message: Message, signal: AbortSignal): Promise<UpstreamAnswer> {
    const { method, path, headers, body } = message;
    const connections = await agent;
    const attributes = { ...peer, "http.request.method": method };
    return inSpan({ name: `${method} ${name}`, kind: "client", attributes }, async (span) => {
      const answer = await connections.request({
        ...message,
        origin,
        path: basePath + path,
        // Bytes that are packed could be neither checked nor bounded here.
        headers: { ...headers, ...callHeaders(), "accept-encoding": "identity" },
        body: body ?? null,
        signal,
      });
      const status = answer.statusCode;
      span?.add({ "http.response.status_code": status });
      if (status >= 500) span?.fail(String(status));
      return { status, headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
    });
  }
}

/**
 * Creates what tells of the outages of an upstream, whoever calls it.
 * @param name - what the log calls the upstream
 */
export function createUpstreamOutage(name: string, logger: Logger): Outage {
  const words = { away: "the upstream gave no answer", back: "the upstream answers again" };
  return createOutage(logger, { ...words, fields: { upstream: name } });
}
