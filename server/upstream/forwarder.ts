import { type Request, type RequestHandler, Router } from "express";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { defaultCachePolicy } from "../http/cache-control.ts";
import type { OriginalAddressOf } from "../http/client-address.ts";
import { requireCsrf } from "../http/csrf.ts";
import { describeFailure } from "../http/error-handler.ts";
import { nameRoute } from "../http/request-log.ts";
import { whileConnected } from "../http/while-connected.ts";
import { ClientGoneError, type Failure, RequestError, UpstreamError } from "../platform/errors.ts";
import { createAnswerCheck, type UpstreamCall } from "./answer-check.ts";
import { type CallLimits, createBreaker, probeDeadline } from "./call-policies.ts";
import { answerHeaders, type ForwardRules, requestHeaders } from "./forward-headers.ts";
import { createUpstream, type Upstream, type UpstreamAnswer } from "./upstream.ts";

/** A service below /service: the real one, if it is configured, else the routes of the embedded one. */
export interface ServiceCalls {
  name: string;
  /** The real service answers everything below these paths. */
  paths: readonly ServicePath[];
  /** What forwarded calls may carry. */
  allowed?: ForwardRules;
  /** Names of the cookies that no other service may set. */
  ownCookies?: readonly string[];
  /** The real service; undefined where the embedded one answers. */
  upstream: Upstream | undefined;
  /** Answers the calls; empty where the real service does. */
  routes: readonly Router[];
}

interface ServicePath {
  path: string;
  /** The lowest status that counts as a failure of the service; undefined passes every answer on. */
  failsFrom?: number;
  /** Longest time for one call; undefined is the forwarder's own. */
  deadline?: Milliseconds;
  /** Paths below this one at which a POST needs no evidence that a page of the shop makes it. */
  openToAll?: RegExp;
}

interface ForwarderOptions extends Upstream, CallLimits {
  /** The upstream's name in logs, metrics and errors. */
  name: string;
  allowed: ForwardRules;
  originalAddressOf: OriginalAddressOf;
  /** Names of the cookies that it may not set: they belong to other services. */
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

/** The methods of calls that change nothing. */
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Forwards the calls of every service that is a real one; the routes mounted behind answer those of the others. */
export function upstreamRoutes(services: readonly ServiceCalls[], originalAddressOf: OriginalAddressOf): Router {
  const router = Router();
  for (const { name, paths, allowed = {}, upstream } of services) {
    if (!upstream) continue;
    const others = services.filter((service) => service.name !== name);
    const foreignCookies = others.flatMap(({ ownCookies = [] }) => ownCookies);
    for (const { path, openToAll, ...options } of paths) {
      const forwarder = createForwarder({
        ...{ originalAddressOf, name, allowed, foreignCookies },
        ...options,
        ...upstream,
      });
      router.use(path, nameRoute(`${path}/*`), defaultCachePolicy("page"), refuseChanges(openToAll), forwarder);
    }
  }
  return router;
}

/**
 * Refuses a call that may change something unless a page of the same origin makes it.
 * @param openToAll - the paths at which everybody may make a POST
 */
function refuseChanges(openToAll: RegExp | undefined): RequestHandler {
  const refuse = requireCsrf();
  return (request, response, next) => {
    const { method, path } = request;
    if (safeMethods.has(method) || (method === "POST" && openToAll?.test(path))) next();
    else refuse(request, response, next);
  };
}

/**
 * Creates the handler that forwards requests below its path to an upstream, and returns valid answers unchanged. The
 * request is read to its end before the upstream is asked: no fault of a client can look like one of the upstream. The
 * answer is read to its end before its first byte is sent: any fault is a clean 503.
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
      const answer = await guard((isProbe) =>
        ask({ method, path, headers, body, read, ...(isProbe ? { within: probeDeadline } : { signal }) }),
      );
      response.status(answer.status).setHeaders(answer.headers).end(answer.body);
    } catch (error) {
      const body = describeFailure(failureOf(error));
      response.status(body.status).json(body);
    }
  };

  /** Validates an answer, and returns it as it is sent. */
  function passOn(request: UpstreamCall, answer: UpstreamAnswer) {
    const { status, body } = answer;
    if (status >= failsFrom) throw new UpstreamError(name, `status ${status}`, { mayBeDown: false });
    check(request, answer);
    return { status, headers: new Map(Object.entries(answerHeaders(answer.headers, foreignCookies))), body };
  }

  function failureOf(error: unknown): Failure {
    if (error instanceof RequestError) return error;
    if (!(error instanceof UpstreamError)) throw error;
    return { kind: "unavailable", message: "the service doesn't answer, please try again later" };
  }
}

/**
 * Returns path and query with dots resolved; undefined if they lead out of where the handler is mounted, or would in an
 * upstream that decodes slashes.
 */
function pathBelow({ originalUrl, baseUrl }: Request): string | undefined {
  const url = URL.parse(originalUrl, "http://upstream");
  if (!url || !`${url.pathname}/`.startsWith(`${baseUrl}/`)) return undefined;
  const decoded = url.pathname.replaceAll(/%(?:2e|2f|5c)/gi, decodeURIComponent);
  return /[/\\]\.\.?(?:[/\\]|$)/.test(decoded) ? undefined : url.pathname + url.search;
}

/**
 * Reads the complete body of a request.
 * @param limit - maximum length in bytes
 * @returns undefined if the request has no body
 * @throws RequestError if it is larger, ClientGoneError if the client disconnects before its end
 */
async function readBody(request: Request, limit: number): Promise<Buffer | undefined> {
  const { "content-length": length = 0, "transfer-encoding": encoding } = request.headers;
  if (Number(length) > limit) throw tooLarge(limit);
  if (Number(length) === 0 && !encoding) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* chunksOf(request: Request): AsyncGenerator<Buffer> {
  try {
    // The log reads from the socket, which a destroyed request has lost.
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw new ClientGoneError("the client left before the end of its request");
  }
}

function tooLarge(limit: number) {
  return new RequestError("tooLarge", `the request's body is larger than ${limit} bytes`);
}
