import { randomUUID } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { readTraceContext } from "../tracing/trace-context.ts";
import type { Tracer } from "../tracing/tracer.ts";
import { requestIdHeader, runWork } from "../tracing/work.ts";
import { endAnswerSpan } from "./answer-span.ts";

/**
 * Methods that the metrics tell apart; every other one counts as `_OTHER`, so that nobody can invent series
 * (test/server/metrics.test.ts).
 */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts for the status of an answer whose client went before its end, whatever the answer would have been. */
const clientGone = 499;

/** The name of all paths without a route, so that nobody can invent series (test/server/metrics.test.ts). */
const unmatched = "unmatched";

/**
 * Logs and measures every answer. A line of the log names the template of the route instead of the address, and says
 * nothing of the visitor. The request id is the edge's where it sends a proper one, and goes back with the answer. What
 * follows from a request is a part of its work, and of the trace of its sender.
 * @param tracer - records a span of every answer, in a trace of its own where its sender has none; undefined records none
 */
export function requestLog(logger: Logger, metrics: Metrics, tracer: Tracer | undefined): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const bytesBefore = request.socket.bytesWritten;
    const requestId = requestIdOf(request);
    const sent = readTraceContext(request.headers);
    const span = tracer?.start({ name: "request", kind: "server" }, sent);
    const trace = span?.context ?? sent;
    response.setHeader(requestIdHeader, requestId);
    response.once("close", () => {
      const duration: Milliseconds = performance.now() - startedAt;
      const { fragment, site, cache, fragmentState, reason } = response.locals;
      const status = response.writableFinished ? response.statusCode : clientGone;
      const method = methods.has(request.method) ? request.method : "_OTHER";
      const matched = matchedRoute(request, response);
      const route = matched ?? unmatched;
      metrics.requests.observe(
        { http_request_method: method, http_route: route, http_response_status_code: status },
        duration / second,
      );
      if (span) endAnswerSpan(span, { method, route: matched, status }, response);
      const line = {
        requestId,
        traceId: trace?.traceId,
        method: request.method,
        route,
        status,
        aborted: response.writableFinished ? undefined : true,
        durationMs: Math.round(duration * 10) / 10,
        bytes: request.socket.bytesWritten - bytesBefore,
        fragment,
        site,
        cache,
        fragmentState,
        reason,
      };
      if (status >= 500) logger.error(line, "request");
      else logger.info(line, "request");
    });
    runWork({ requestId, trace, tracer }, next);
  };
}

function requestIdOf(request: Request): string {
  const given = request.get(requestIdHeader);
  return given !== undefined && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}

/** Gives the template of the matched route, or all of them where it has several. */
function matchedRoute(request: Request, response: Response): string | undefined {
  return request.route?.path.toString() ?? response.locals.route;
}

/** Names the route, for the log and the metrics, of what is no route to Express, such as a folder of files. */
export function nameRoute(name: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = name;
    next();
  };
}
