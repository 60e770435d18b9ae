import { Readable } from "node:stream";
import type { Request, RequestHandler } from "express";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { type Failure, RequestError, UpstreamError } from "../errors.ts";
import { describeFailure } from "../http/program-answers.ts";
import { whileConnected } from "../http/while-connected.ts";
import type { Logger } from "../logger.ts";
import { createBreaker } from "./breaker.ts";
import { answerHeaders, loginTokenHeader, requestHeaders } from "./forward-headers.ts";
import { createUpstream, type UpstreamAnswer, type UpstreamRequest } from "./upstream.ts";

interface ForwarderOptions {
  /** What logs and errors call the upstream. */
  name: string;
  origin: string;
  logger: Logger;
  /** Longest time for one exchange. */
  deadline?: Milliseconds;
  /** Largest body of a request, in bytes. */
  maxRequest?: number;
  /** Largest body of an answer, in bytes. */
  maxAnswer?: number;
  /** The lowest status that counts as a failure of the upstream; undefined passes every answer on. */
  failsFrom?: number;
  /** The upstream gets the credential of the customer who is signed in, as a header of its own. */
  needsLoginToken?: boolean;
}

/**
 * Creates the handler that passes requests below its path on to an upstream, and passes the answers back as they are.
 * The request's body streams through unread. The answer is complete before its first byte leaves, so that whatever goes
 * wrong is answered with a 503 and nothing else.
 */
export function createForwarder(options: ForwarderOptions): RequestHandler {
  const { name, origin, logger, deadline = 10 * second, maxRequest = 64 * 1024, maxAnswer = 1024 * 1024 } = options;
  const { failsFrom = Number.POSITIVE_INFINITY, needsLoginToken = false } = options;
  const ask = createUpstream({ name, origin, deadline, maxAnswer });
  const guard = createBreaker(name);

  return async (request, response, next) => {
    const path = pathBelow(request, origin);
    if (!path) return next();
    const { method } = request;
    const headers = { ...requestHeaders(request), ...(needsLoginToken && loginTokenHeader(request)) };
    const signal = whileConnected(response);
    try {
      const body = limitedBody(request, maxRequest);
      const answer = await guard(() => getAnswer({ method, path, headers, signal, ...(body && { body }) }));
      response.status(answer.status).setHeaders(new Map(Object.entries(answerHeaders(answer.headers))));
      response.end(answer.body);
    } catch (error) {
      const body = describeFailure(failureOf(error));
      response.status(body.status).json(body);
    }
  };

  async function getAnswer(asked: UpstreamRequest): Promise<UpstreamAnswer> {
    const answer = await ask(asked);
    if (answer.status >= failsFrom) throw new UpstreamError(name, `status ${answer.status}`);
    return answer;
  }

  /** Gives what the caller is told. It throws on any error that isn't the request's or the upstream's. */
  function failureOf(error: unknown): Failure {
    if (error instanceof RequestError) return error;
    if (!(error instanceof UpstreamError)) throw error;
    logger.warn({ upstream: name, reason: error.fault }, "the upstream gave no answer");
    return { kind: "unavailable", message: "the service doesn't answer, please try again later" };
  }
}

/** Gives path and query with their dots resolved; undefined when these lead out of where the handler is mounted. */
function pathBelow({ originalUrl, baseUrl }: Request, origin: string): string | undefined {
  const url = URL.parse(originalUrl, origin);
  return url && `${url.pathname}/`.startsWith(`${baseUrl}/`) ? url.pathname + url.search : undefined;
}

function limitedBody(request: Request, limit: number): Readable | undefined {
  const { "content-length": length = 0, "transfer-encoding": encoding } = request.headers;
  if (Number(length) > limit) throw tooLarge(limit);
  return Number(length) > 0 || encoding ? Readable.from(limited(request, limit)) : undefined;
}

async function* limited(request: Request, limit: number) {
  let size = 0;
  // A request that is destroyed has no socket left for the log to read: test/server/upstreams/forwarder.test.ts
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    yield chunk;
  }
}

function tooLarge(limit: number) {
  return new RequestError("tooLarge", `the request's body is larger than ${limit} bytes`);
}
