import type { IncomingHttpHeaders } from "node:http";
import { SpanKind } from "@opentelemetry/api";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { nameOf, UpstreamError } from "../platform/errors.ts";
import { createHealthLog, type HealthLog } from "../platform/health-log.ts";
import type { Logger } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { callHeaders, failSpan, inSpan } from "../platform/request-context.ts";
import { type CallLimits, createCallQueue, retryOnce } from "./call-policies.ts";

/** A real service. */
export interface Upstream {
  /** Its origin, with the path that all calls begin with, if there is one. */
  url: string;
  metrics: Pick<Metrics, "upstreamCalls" | "upstreamsDown">;
  outage: HealthLog;
}

export interface UpstreamOptions extends Upstream, CallLimits {
  /** Its name in logs, metrics and errors. */
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
  /** Aborts the call, with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The deadline of this call, if it differs from that of the upstream. */
  within?: Milliseconds | undefined;
}

interface UpstreamRequest<T> extends Message {
  /** Code of the site for which it is asked again and again; the log of an outage names it. */
  polledFor?: string | undefined;
  /** Reads the complete answer, whatever its status. It throws UpstreamError if the answer is invalid. */
  read(answer: UpstreamAnswer): T | Promise<T>;
}

export interface UpstreamAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** How a call ends, as a label of metrics. */
export type CallOutcome = "answered" | "failed" | "broken" | "unanswered" | "abandoned";

const connection = {
  /** Longest time for connecting: a host that is gone doesn't answer. */
  connect: { timeout: second },
  /**
   * How long an idle connection is kept, unless the upstream names another time. If the upstream closes it first, the
   * next call fails, and a POST isn't repeated: so this is shorter than the 2 s of gunicorn, the shortest of all.
   */
  keepAliveTimeout: second,
  /** Maximum size of the headers of an answer, in bytes; as nginx allows. */
  maxHeaderSize: 8 * 1024,
};

/**
 * Creates the caller of one upstream, with connections of its own. A service that calls no other server never loads
 * undici, which takes 7 MB.
 * @returns a function that makes a call, and returns what `read` returns. Redirects aren't followed. It throws
 * UpstreamError if no answer comes in time and within the size, or if too many calls are under way; what `read` throws;
 * or the reason of the signal
 */
export function createUpstream({ name, url, metrics, outage, deadline, maxAnswer, ...limits }: UpstreamOptions) {
  const { origin, protocol, hostname, port, pathname } = new URL(url);
  const basePath = pathname.replace(/\/+$/, "");
  const agent = import("undici").then(
    ({ default: { Agent } }) => new Agent({ ...connection, maxResponseSize: maxAnswer }),
  );
  const queue = createCallQueue(name, limits);
  const peer = {
    "peer.service": name,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
  };

  return async <T>({ read, polledFor, ...message }: UpstreamRequest<T>): Promise<T> => {
    const end = metrics.upstreamCalls.startTimer({ upstream: name });
    let outcome: CallOutcome = "unanswered";
    try {
      const answer = await queue(() => ask(message));
      outcome = answer.status < 500 ? "broken" : "failed";
      const value = await read(answer);
      if (answer.status < 500) outcome = "answered";
      outage.answered(polledFor);
      return value;
    } catch (error) {
      if (error instanceof UpstreamError) outage.failed({ reason: error.fault, err: error, site: polledFor });
      throw error;
    } finally {
      end({ outcome: outcome === "unanswered" && message.signal?.aborted ? "abandoned" : outcome });
    }
  };

  async function ask({ signal, within = deadline, ...message }: Message): Promise<UpstreamAnswer> {
    const timeUp = AbortSignal.timeout(within);
    const ended = signal ? AbortSignal.any([timeUp, signal]) : timeUp;
    try {
      return await retryOnce(message.method, () => exchange(message, ended), ended);
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
    return inSpan(`${method} ${name}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const answer = await connections.request({
        ...message,
        origin,
        path: basePath + path,
        // Ask for an uncompressed answer: a compressed one can't be validated or size-limited.
        headers: { ...headers, ...callHeaders(), "accept-encoding": "identity" },
        body: body ?? null,
        signal,
      });
      const status = answer.statusCode;
      span.setAttribute("http.response.status_code", status);
      if (status >= 500) failSpan(span, String(status));
      return { status, headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
    });
  }
}

/**
 * @param name - the upstream's name in the log
 * @param sites - the sites that it serves, unless it serves all
 */
export function createUpstreamHealthLog(name: string, logger: Logger, sites?: readonly string[]): HealthLog {
  const words = { down: "upstream failed", up: "upstream recovered" };
  return createHealthLog(logger, { ...words, fields: { upstream: name, ...(sites && { sites }) } });
}
