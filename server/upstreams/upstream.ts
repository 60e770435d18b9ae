import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { Agent, errors } from "undici";
import type { Milliseconds } from "../../client/rules/time.ts";
import { RequestError, UpstreamError } from "../errors.ts";

export interface UpstreamOptions {
  /** What logs and errors call the upstream. */
  name: string;
  origin: string;
  /** Longest time until the last byte of an answer. */
  deadline: Milliseconds;
  /** Largest body of an answer, in bytes. */
  maxAnswer: number;
}

export interface UpstreamRequest {
  method: string;
  /** Path of the call, with its query. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: Readable;
  /** Ends the call early, with the signal's reason. */
  signal?: AbortSignal;
}

export interface UpstreamAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Calls an upstream and gives its whole answer, whatever the status. Redirects aren't followed. */
export type AskUpstream = (request: UpstreamRequest) => Promise<UpstreamAnswer>;

/**
 * Creates the caller of one upstream, with connections of its own.
 * @returns a function that throws UpstreamError when no answer comes in time and within the size, the RequestError of
 * the request's body, or the reason of its signal
 */
export function createUpstream({ name, origin, deadline, maxAnswer }: UpstreamOptions): AskUpstream {
  const agent = new Agent({ maxResponseSize: maxAnswer });
  return async ({ signal, body = null, ...request }) => {
    const timeUp = AbortSignal.timeout(deadline);
    try {
      const answer = await agent.request({
        ...request,
        origin,
        body,
        signal: signal ? AbortSignal.any([timeUp, signal]) : timeUp,
      });
      const { statusCode, headers } = answer;
      return { status: statusCode, headers, body: Buffer.from(await answer.body.arrayBuffer()) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof RequestError) throw error;
      throw new UpstreamError(name, timeUp.aborted ? `no answer within ${deadline} ms` : faultOf(error));
    }
  };

  /**
   * Names an error by its code or name alone, as its message may hold a part of the answer
   * (test/server/upstreams/forwarder.test.ts).
   */
  function faultOf(error: unknown): string {
    if (error instanceof errors.ResponseExceededMaxSizeError) return `answer larger than ${maxAnswer} bytes`;
    if (!(error instanceof Error)) return "no answer";
    return `no answer (${"code" in error && error.code ? error.code : error.name})`;
  }
}
