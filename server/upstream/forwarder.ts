import type { Request, RequestHandler } from "express";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import { whileConnected } from "../http/while-connected.ts";
import { ClientGoneError, RequestError } from "../platform/errors.ts";
import { checkAnswer } from "./answer-check.ts";
import { createBreaker, probeDeadline } from "./call-policies.ts";
import { answerHeaders, type ForwardRules, requestHeaders, type SourceContext } from "./forward-headers.ts";
import { createUpstream, type Upstream } from "./upstream.ts";

/** A path below which a real service answers, and how. */
export interface ServicePath {
  path: string;
  /** Whether callers know its status 500, so that it isn't answered by 503 as every other failure. */
  has500?: boolean;
  /** Whether its answers may be stored where the service says so, unless staff preview. All others are private. */
  isPublic?: boolean;
  /** Longest time for one call; undefined is the forwarder's own. */
  deadline?: Milliseconds;
  /** Paths below this one at which a POST needs no evidence that a page of the shop makes it. */
  openToAll?: RegExp;
}

interface ForwarderOptions extends ServicePath, SourceContext {
  /** The upstream's name in logs, metrics and errors. */
  name: string;
  upstream: Upstream;
  allowed: ForwardRules;
  /** Names of the cookies that it may not set: they belong to other services. */
  foreignCookies: readonly string[];
}

/** Largest body of a request and of an answer, in bytes. */
const maxRequest = 64 * 1024;
const maxAnswer = 1024 * 1024;

/**
 * Creates the handler that forwards requests below its path to an upstream, and returns valid answers. The
 * request is read to its end before the upstream is asked: no fault of a client can look like one of the upstream. The
 * answer is read to its end before its first byte is sent: any fault is a clean 503.
 */
export function createForwarder(options: ForwarderOptions): RequestHandler {
  const { name, upstream, allowed, foreignCookies } = options;
  const { deadline = 10 * second, has500 = false, isPublic = false } = options;
  const ask = createUpstream({ ...upstream, name, deadline, maxAnswer });
  const guard = createBreaker(name, upstream.metrics);

  return async (request, response, next) => {
    const path = pathBelow(request);
    if (!path) return next();
    const { method } = request;
    const headers = requestHeaders(request, allowed, options);
    const signal = whileConnected(response);
    const body = await readBody(request);
    const answer = await guard((isProbe) =>
      ask({
        ...{ method, path, headers, body, ...(isProbe ? { within: probeDeadline } : { signal }) },
        read(read) {
          if (has500 && read.status === 500) throw new RequestError("failed", "the service has failed");
          checkAnswer(name, { method, path, accept: headers.accept }, read);
          return read;
        },
      }),
    );
    const answered = answerHeaders(answer.headers, foreignCookies, isPublic && headers.cookie === undefined);
    response.status(answer.status).set(answered).end(answer.body);
  };
}

/**
 * Returns path and query with dots resolved; undefined if they lead out of where the handler is mounted, or would in an
 * upstream that decodes the path, several times at worst, or ignores what follows a semicolon.
 */
function pathBelow({ originalUrl, baseUrl }: Request): string | undefined {
  const url = URL.parse(originalUrl, "http://upstream");
  if (!url || !`${url.pathname}/`.startsWith(`${baseUrl}/`)) return undefined;
  const decoded = decodeOften(url.pathname);
  if (decoded === undefined || /[/\\]\.\.?(?:[/\\;?#]|$)/.test(decoded)) return undefined;
  return url.pathname + url.search;
}

/** Decodes ASCII characters until nothing changes; undefined if that takes more than 8 rounds. */
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
    // The log reads from the socket, which a destroyed request has lost.
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
