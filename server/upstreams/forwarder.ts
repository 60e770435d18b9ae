import type { Request, RequestHandler } from "express";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { type Failure, RequestError, UpstreamError } from "../errors.ts";
import type { OriginalAddressOf } from "../http/original-address.ts";
import { describeFailure } from "../http/program-answers.ts";
import { whileConnected } from "../http/while-connected.ts";
import type { Allowed } from "../services/real-services.ts";
import { createAnswerCheck, type UpstreamCall } from "./answer-check.ts";
import { createBreaker, longestTry } from "./breaker.ts";
import type { CallLimits } from "./call-queue.ts";
import { answerHeaders, requestHeaders } from "./forward-headers.ts";
import { readBody } from "./read-body.ts";
import { createUpstream, type Upstream, type UpstreamAnswer } from "./upstream.ts";

/** What the forwarders of all upstreams share. */
export interface ForwarderDeps {
  originalAddressOf: OriginalAddressOf;
}

interface ForwarderOptions extends ForwarderDeps, Upstream, CallLimits {
  /** What logs, metrics and errors call the upstream. */
  name: string;
  /** What the upstream gets of a visitor. */
  allowed: Allowed;
  /** Names of the cookies that it may not set, as they belong to other services. */
  foreignCookies: readonly string[];
  /** Longest time for one exchange. */
  deadline?: Milliseconds;
  /** Largest body of a request, in bytes. */
  maxRequest?: number;
  /** Largest body of an answer, in bytes. */
  maxAnswer?: number;
  /** The lowest status that counts as a failure of the upstream; undefined passes every answer on. */
  failsFrom?: number;
}

/**
 * Creates the handler that passes requests below its path on to an upstream, and passes the answers back as they are, if they
 * are what they must be.
 * The request is complete before the upstream is asked, so that no client's fault can look like one of the upstream.
 * The answer is complete before its first byte leaves, so that whatever goes wrong is answered with a 503 and nothing
 * else.
 */
export function createForwarder(options: ForwarderOptions): RequestHandler {
  const { name, originalAddressOf, allowed, foreignCookies, ...limits } = options;
  const { maxRequest = 64 * 1024, failsFrom = Number.POSITIVE_INFINITY, ...upstream } = limits;
  const ask = createUpstream({ name, deadline: 10 * second, maxAnswer: 1024 * 1024, ...upstream });
  const guard = createBreaker(name, upstream.metrics);
  const check = createAnswerCheck(name);

  return async (request, response, next) => {
    const path = pathBelow(request);
    if (!path) return next();
    const { method } = request;
    const headers = requestHeaders(request, allowed, originalAddressOf);
    const signal = whileConnected(response);
    const read = (answer: UpstreamAnswer) => passOn({ method, path, accept: headers.accept }, answer);
    try {
      const body = await readBody(request, maxRequest);
      const answer = await guard((findsOut) =>
        ask({ method, path, headers, body, read, ...(findsOut ? { within: longestTry } : { signal }) }),
      );
      response.status(answer.status).setHeaders(answer.headers).end(answer.body);
    } catch (error) {
      const body = describeFailure(failureOf(error));
      response.status(body.status).json(body);
    }
  };

  /** Gives the answer as it is passed on. */
  function passOn(request: UpstreamCall, answer: UpstreamAnswer) {
    const { status, body } = answer;
    if (status >= failsFrom) throw new UpstreamError(name, `status ${status}`, { mayBeDown: false });
    check(request, answer);
    return { status, headers: new Map(Object.entries(answerHeaders(answer.headers, foreignCookies))), body };
  }

  /** Gives what the caller is told. It throws on any error that isn't the request's or the upstream's. */
  function failureOf(error: unknown): Failure {
    if (error instanceof RequestError) return error;
    if (!(error instanceof UpstreamError)) throw error;
    return { kind: "unavailable", message: "the service doesn't answer, please try again later" };
  }
}

/**
 * Gives path and query with their dots resolved; undefined when these lead out of where the handler is mounted, or would
 * where an upstream takes an encoded slash for one.
 */
function pathBelow({ originalUrl, baseUrl }: Request): string | undefined {
  const url = URL.parse(originalUrl, "http://upstream");
  if (!url || !`${url.pathname}/`.startsWith(`${baseUrl}/`)) return undefined;
  const decoded = url.pathname.replaceAll(/%(?:2e|2f|5c)/gi, decodeURIComponent);
  return /[/\\]\.\.?(?:[/\\]|$)/.test(decoded) ? undefined : url.pathname + url.search;
}
