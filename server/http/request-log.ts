import { randomUUID } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import { type Milliseconds, second } from "../../client/rules/time.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";

/**
 * Methods that the metrics tell apart; every other one counts as `_OTHER`, so that nobody can invent series
 * (test/server/metrics.test.ts).
 */
const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Counts for the status of an answer whose client went before its end, whatever the answer would have been. */
const clientGone = 499;

/** The header of the one thing that each answer has of its own. */
export const requestIdHeader = "X-Request-Id";

/**
 * Logs and measures every answer. A line of the log names the template of the route instead of the address, and says
 * nothing of the visitor. The request id is the edge's where it sends a proper one, and goes back with the answer.
 */
export function requestLog(logger: Logger, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const bytesBefore = request.socket.bytesWritten;
    const requestId = requestIdOf(request);
    response.setHeader(requestIdHeader, requestId);
    response.once("close", () => {
      const duration: Milliseconds = performance.now() - startedAt;
      const { method } = request;
      const { fragment, site, cache, fragmentState, reason } = response.locals;
      const status = response.writableFinished ? response.statusCode : clientGone;
      const route = routeOf(request, response);
      const known = methods.has(method) ? method : "_OTHER";
      metrics.requests.observe(
        { http_request_method: known, http_route: route, http_response_status_code: status },
        duration / second,
      );
      const line = {
        requestId,
        method,
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
    next();
  };
}

function requestIdOf(request: Request): string {
  const given = request.get(requestIdHeader);
  return given !== undefined && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID();
}

/**
 * Gives the template of the matched route. Unmatched paths share one name, so that nobody can invent series
 * (test/server/metrics.test.ts).
 */
function routeOf(request: Request, response: Response): string {
  return request.route?.path ?? response.locals.route ?? "unmatched";
}

/** Names the route, for the log and the metrics, of what is no route to Express, such as a folder of files. */
export function nameRoute(name: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = name;
    next();
  };
}
