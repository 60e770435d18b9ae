import { type Request, type RequestHandler, Router } from "express";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { allowMethods, allowMethodsOf, answerOptionsOf } from "../http/allow-methods.ts";
import { cachePolicy } from "../http/cache-control.ts";
import { requireCsrf } from "../http/csrf.ts";
import { apiErrorHandlers } from "../http/error-handler.ts";
import { nameRoute } from "../http/request-log.ts";
import { whileConnected } from "../http/while-connected.ts";
import { ClientGoneError, RequestError } from "../platform/errors.ts";
import type { Logger } from "../platform/logger.ts";
import type { SiteResolver } from "../sites/resolve-site.ts";
import { checkAnswer, withoutPage } from "./answer-check.ts";
import { createBreaker, probeDeadline } from "./call-policies.ts";
import { answerHeaders, type ForwardRules, requestHeaders, type SourceContext } from "./forward-headers.ts";
import { type CookieFilter, createCookieFilter } from "./service-cookies.ts";
import type { SiteUpstreams } from "./site-upstreams.ts";
import { createUpstream, type Upstream } from "./upstream.ts";

/** A path below which a real service answers, and the rules for these calls. */
interface ServicePath {
  path: string;
  /** Whether callers know its status 500. Otherwise it becomes a 503, like every other failure. */
  has500?: boolean;
  /** Whether its answers may be stored if the service says so, unless staff preview. All others are private. */
  isPublic?: boolean;
  /** The deadline of one call. Default: 10 s. */
  deadline?: Milliseconds;
  /** Paths below this one at which a POST needs no evidence that a page of the shop makes it. */
  openToAll?: RegExp;
}

/**
 * A service below /service. On each site, the real service answers if it is configured, otherwise the routes of the
 * embedded one.
 */
export interface ServiceCalls {
  name: string;
  /** The real service answers everything below these paths. */
  paths: readonly ServicePath[];
  /** The parts of visitors' requests that forwarded calls may contain, and what their answers may set. */
  allowed?: ForwardRules;
  upstreams: SiteUpstreams;
  /** Handles every call before the embedded or real service gets it. */
  guard?: RequestHandler;
  /** Answers the calls of sites without a real service; empty if each site has one. */
  routes: readonly Router[];
}

interface ServiceContext extends SourceContext {
  logger: Logger;
  siteOf: Pick<SiteResolver, "call" | "host">;
}

/** Matches as Express does. */
const belowService = /^\/service(?:\/|$)/i;

/** The methods of calls that change nothing. */
const safeMethods = ["GET", "HEAD", "OPTIONS"];
const forwardedMethods = allowMethods([...safeMethods, "POST", "PUT", "PATCH", "DELETE"]);

/**
 * Answers everything below /service. Calls of real services are forwarded, calls of embedded ones are answered here,
 * and unknown calls and errors get JSON. Pages below /service are left to the next handler.
 * @param noStoreForPreviews - sets the cache policy of what staff preview; a real service sets its own
 */
export function serviceRoutes(
  services: readonly ServiceCalls[],
  context: ServiceContext,
  noStoreForPreviews: RequestHandler,
): RequestHandler {
  const router = Router();
  for (const { guard } of services) if (guard) router.use(guard);
  router.use(upstreamRoutes(services, context));
  router.use("/service", cachePolicy("page"), noStoreForPreviews);
  const calls = Router();
  for (const routes of services.flatMap((service) => service.routes)) calls.use(routes);
  const embedded = Router().use(answerOptionsOf(calls), calls, allowMethodsOf(calls));
  // Wrapped in a function, so that the app doesn't answer OPTIONS for its routes: on some sites a real service answers
  // these.
  router.use((request, response, next) => embedded(request, response, next));
  router.use("/service", apiErrorHandlers(context.logger));
  // Without this check, a fifth of the time to a page's first byte would go to routes that can't match.
  return (request, response, next) => (belowService.test(request.path) ? router(request, response, next) : next());
}

/** Forwards the calls of sites with a real service. */
function upstreamRoutes(services: readonly ServiceCalls[], context: ServiceContext): Router {
  const { siteOf } = context;
  const router = Router();
  const refuse = requireCsrf();
  for (const service of services) {
    const { name, allowed, paths, upstreams } = service;
    const filterCookies = createCookieFilter(name, allowed?.setsCookies ?? [], context.logger);
    for (const upstream of upstreams.all) {
      if (!upstream) continue;
      // A service for all sites may know more sites than there are here.
      const isForAll = upstreams.all.size === 1;
      const skipOtherSites: RequestHandler = (request, _response, next) =>
        next(isForAll || upstreams.of(siteOf.call(request)) === upstream ? undefined : "router");
      for (const servicePath of paths) {
        const { path, openToAll } = servicePath;
        const refuseOthers: RequestHandler = (request, response, next) => {
          const isOpen = request.method === "POST" && openToAll?.test(request.path);
          if (isOpen || safeMethods.includes(request.method)) next();
          else refuse(request, response, next);
        };
        const forwarder = createForwarder(service, servicePath, upstream, filterCookies, context);
        const calls = Router().use(skipOtherSites, nameRoute(`${path}/*`), cachePolicy("private"));
        router.use(path, calls.use(forwardedMethods, refuseOthers, forwarder));
      }
    }
  }
  return router;
}

/** The largest body of a request and of an answer, in bytes. */
const maxRequest = 64 * 1024;
const maxAnswer = 1024 * 1024;

/**
 * Creates the handler that forwards requests below its path to an upstream, and returns valid answers. The request is
 * read to its end before the upstream is called, so that a client's fault can't look like one of the upstream. The
 * answer is read to its end before its first byte is sent, so that any fault becomes a clean 503.
 */
function createForwarder(
  { name, allowed = {} }: ServiceCalls,
  { deadline = 10 * second, has500 = false, isPublic = false }: ServicePath,
  upstream: Upstream,
  filterCookies: CookieFilter,
  source: SourceContext,
): RequestHandler {
  const ask = createUpstream({ ...upstream, name, deadline, maxAnswer });
  const guard = createBreaker(name, upstream.metrics);

  return async (request, response, next) => {
    const path = pathBelow(request);
    if (!path) return next();
    const { method } = request;
    const headers = requestHeaders(request, allowed, source);
    const signal = whileConnected(response);
    const body = await readBody(request);
    const answer = await guard((isProbe) =>
      ask({
        method,
        path,
        headers,
        body,
        ...(isProbe ? { within: probeDeadline } : { signal }),
        async read(read) {
          if (has500 && read.status === 500) throw new RequestError("failed", "the service has failed");
          await checkAnswer(name, { method, path }, read);
          return read;
        },
      }),
    );
    const { status, headers: received, body: content } = withoutPage(answer);
    const answered = answerHeaders(received, filterCookies, isPublic && headers.cookie === undefined);
    response.status(status).set(answered).end(content);
  };
}

/**
 * Returns path and query with dots resolved. Undefined if they lead out of the handler's path, or would do so in an
 * upstream that decodes the path, possibly several times, or ignores everything after a semicolon.
 */
function pathBelow({ originalUrl, baseUrl }: Request): string | undefined {
  const url = URL.parse(originalUrl, "http://upstream");
  if (!url || !`${url.pathname}/`.startsWith(`${baseUrl}/`)) return undefined;
  const decoded = decodeOften(url.pathname);
  if (decoded === undefined || /[/\\]\.\.?(?:[/\\;?#]|$)/.test(decoded)) return undefined;
  return url.pathname + url.search;
}

/** Decodes ASCII characters until nothing changes; undefined after more than 8 rounds. */
function decodeOften(path: string, rounds = 8): string | undefined {
  const decoded = path.replaceAll(/%[0-7][\da-f]/gi, decodeURIComponent);
  if (decoded === path) return path;
  return rounds === 0 ? undefined : decodeOften(decoded, rounds - 1);
}

/**
 * Reads the complete body of a request.
 * @returns undefined if the request has no body
 * @throws RequestError if it is too large, ClientGoneError if the client disconnects before its end
 */
async function readBody(request: Request): Promise<Buffer | undefined> {
  const { "content-length": length = 0, "transfer-encoding": encoding } = request.headers;
  if (Number(length) === 0 && !encoding) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Keeps the request's socket, from which the log reads.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > maxRequest)
        throw new RequestError("tooLarge", `the request's body is larger than ${maxRequest} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof RequestError ? error : new ClientGoneError("the client left before the end of its request");
  }
  return Buffer.concat(chunks);
}
