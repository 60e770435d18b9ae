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
  /** Its origin, and the path with which all calls begin, if there is one. */
  url: string;
  metrics: Pick<Metrics, "upstreamCalls" | "upstreamsDown">;
  outage: HealthLog;
}

export interface UpstreamOptions extends Upstream, CallLimits {
  /** Its name in logs, metrics and errors. */
  name: string;
  /** The maximum time until the last byte of an answer. */
  deadline: Milliseconds;
  /** The largest body of an answer, in bytes. */
  maxAnswer: number;
}

interface Message {
  method: string;
  /** Path of the call, with its query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Buffer | undefined;
  /** Aborts the call with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The deadline of this call, if it differs from that of the upstream. */
  within?: Milliseconds | undefined;
}

interface UpstreamRequest<T> extends Message {
  /** Code of the site for which the call is polled, which the log of an outage names. */
  polledFor?: string | undefined;
  /**
   * Reads the complete answer, whatever its status.
   * @throws UpstreamError if the answer is invalid
   */
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
  /** The maximum time for connecting, because a host that is gone doesn't answer. */
  connect: { timeout: second },
  /**
   * How long an idle connection is kept, unless the upstream states another time. If the upstream closed it first, the
   * next call would fail, and a POST isn't repeated. So this is shorter than the 2 s of gunicorn, the shortest of all.
   */
  keepAliveTimeout: second,
  /** The maximum size of an answer's headers in bytes, the same as nginx's. */
  maxHeaderSize: 8 * 1024,
};

/**
 * Creates the caller of one upstream, with connections of its own. A service that calls no other server never loads
 * undici, which takes 7 MB.
 * @returns a function that makes a call, and returns what `read` returns. Redirects aren't followed. It throws
 * UpstreamError if no complete answer comes in time and within the size, or if too many calls are in progress; what
 * `read` throws; or the signal's reason
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
      outage.up(polledFor);
      return value;
    } catch (error) {
      if (error instanceof UpstreamError) outage.down({ reason: error.fault, err: error, site: polledFor });
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
        // Asks for an uncompressed answer, because a compressed one can't be validated or limited in size.
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
