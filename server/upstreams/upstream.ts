import type { IncomingHttpHeaders } from "node:http";
import { Agent, errors } from "undici";
import type { Milliseconds } from "../../client/rules/time.ts";
import { UpstreamError } from "../errors.ts";
import { type CallLimits, createCallQueue } from "./call-queue.ts";

export interface UpstreamOptions extends CallLimits {
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
  body?: Buffer | undefined;
  /** Ends the call early, with the signal's reason. */
  signal?: AbortSignal | undefined;
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
 * @returns a function that throws UpstreamError when no answer comes in time and within the size, or when the upstream
 * is too busy to be asked, or the reason of its signal
 */
export function createUpstream({ name, origin, deadline, maxAnswer, ...limits }: UpstreamOptions): AskUpstream {
  const agent = new Agent({ maxResponseSize: maxAnswer });
  const queue = createCallQueue(name, limits);
  return (request) => queue(() => ask(request));

  async function ask({ signal, body, ...request }: UpstreamRequest): Promise<UpstreamAnswer> {
    const timeUp = AbortSignal.timeout(deadline);
    try {
      const answer = await agent.request({
        ...request,
        origin,
        body: body ?? null,
        signal: signal ? AbortSignal.any([timeUp, signal]) : timeUp,
      });
      const { statusCode, headers } = answer;
      return { status: statusCode, headers, body: Buffer.from(await answer.body.arrayBuffer()) };
    } catch (error) {
      signal?.throwIfAborted();
      if (timeUp.aborted) throw new UpstreamError(name, `no answer within ${deadline} ms`);
      const isTooLarge = error instanceof errors.ResponseExceededMaxSizeError;
      if (isTooLarge) throw new UpstreamError(name, `answer larger than ${maxAnswer} bytes`, { mayBeDown: false });
      throw new UpstreamError(name, `no answer (${nameOf(error)})`);
    }
  }
}

/**
 * Names an error by its code or name alone, as its message may hold a part of the answer
 * (test/server/upstreams/forwarder.test.ts).
 */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return String("code" in error && error.code ? error.code : error.name);
}
